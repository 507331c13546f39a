/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* flags-plumb: --test 'fetch_add(1) | fetch_add(1)' --steps 20 */
/* note: every execution is cut before its history is complete: nothing is judged */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long value, noise;

PLUMB_OBJECT(counter)
PLUMB_OP(fetch_add, long, n)
{
    long old = atomic_load(&value);
    atomic_store(&value, old + n);
    for (int i = 0; i < 50; i++)
        atomic_fetch_add(&noise, 1);
    return PLUMB_INT(old);
}
