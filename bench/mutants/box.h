/* SPDX-License-Identifier: Apache-2.0 */
/* A second object, included at the end of a harness: what a thread put here before it used the first object has to be
 * seen by a thread that knows, from an answer of the first object, that it was used. */
#ifndef BOX_H
#define BOX_H

#include <plumb.h>
#include <stdatomic.h>

static atomic_int box;

PLUMB_OBJECT_NAMED(box, )

PLUMB_OP_ON(box, put, int, value)
{
    atomic_store_explicit(&box, value, memory_order_relaxed);
    return PLUMB_OK;
}

PLUMB_OP_ON(box, look_in)
{
    return PLUMB_INT(atomic_load_explicit(&box, memory_order_relaxed));
}

#endif
