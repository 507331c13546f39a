/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --test 'add(1) | add(2) | get' */
/* note: get may answer 2, which is wrong only for a client that lets add(2) wait for add(1) */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long shards[2];

PLUMB_OBJECT(counter)
PLUMB_OP(add, int, by)
{
    atomic_fetch_add(&shards[by % 2], by);
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    long odd = atomic_load(&shards[1]);
    return PLUMB_INT(odd + atomic_load(&shards[0]));
}
