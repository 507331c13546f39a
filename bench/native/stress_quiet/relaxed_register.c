/* SPDX-License-Identifier: Apache-2.0 */
/* One word, relaxed throughout. Linearizable; a store may wait in the store buffer when its call seems to be over. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long word;

PLUMB_OBJECT(register)

PLUMB_SETUP()
{
    atomic_store(&word, 0);
}

PLUMB_OP(write, long, value)
{
    atomic_store_explicit(&word, value, memory_order_relaxed);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load_explicit(&word, memory_order_relaxed));
}
