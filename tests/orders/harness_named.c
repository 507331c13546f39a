/* SPDX-License-Identifier: Apache-2.0 */
/* A rule that the harness names, and a flag that says where to look. */
#include "sites.h"
#include <plumb.h>

static atomic_int ready, letter;

PLUMB_OBJECT()
PLUMB_SYNC(post, fetch)
PLUMB_TEST("post(5) | fetch")

PLUMB_OP(post, int, v)
{
    atomic_store_explicit(&letter, v, A);
    atomic_store_explicit(&ready, 1, B);
    return PLUMB_OK;
}

PLUMB_OP(fetch)
{
    int there = atomic_load_explicit(&ready, C);
    if (!there)
        return PLUMB_NONE;
    int v = atomic_load_explicit(&letter, D);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}
