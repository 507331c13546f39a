/* SPDX-License-Identifier: Apache-2.0 */
/* Read-copy-update with a grace period: a reader says that it reads, an update frees the old copy when every reader that may have
 * found it has left. -DFENCES: with fences where Desnoyers and others (TPDS 2012) have memory barriers. */
#include <plumb.h>

#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 4 };

struct copy {
    int value;
};

static _Atomic(struct copy *) current;
static atomic_int reads[THREADS];

PLUMB_OBJECT(register)
PLUMB_ROLE(updater, write)
PLUMB_ROLE_MANY(reader, read)
PLUMB_TEST("write(1) write(2) | read read")

static struct copy *new_copy(int value)
{
    struct copy *c = malloc(sizeof *c);
    c->value = value;
    return c;
}

PLUMB_SETUP()
{
    atomic_init(&current, new_copy(0));
}

PLUMB_OP(write, int, v)
{
    struct copy *c = new_copy(v);
    struct copy *old = atomic_exchange_explicit(&current, c, memory_order_seq_cst);
#ifdef FENCES
    atomic_thread_fence(memory_order_seq_cst);
#endif
    for (int i = 0; i < THREADS; i++)
        while (atomic_load_explicit(&reads[i], memory_order_seq_cst))
            ;
#ifdef FENCES
    atomic_thread_fence(memory_order_seq_cst);
#endif
    free(old);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    atomic_store_explicit(&reads[plumb_thread()], 1, memory_order_seq_cst);
#ifdef FENCES
    atomic_thread_fence(memory_order_seq_cst);
#endif
    struct copy *c = atomic_load_explicit(&current, memory_order_seq_cst);
    int value = c->value;
#ifdef FENCES
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_store_explicit(&reads[plumb_thread()], 0, memory_order_seq_cst);
    return PLUMB_INT(value);
}
