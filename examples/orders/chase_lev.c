/* SPDX-License-Identifier: Apache-2.0 */
/* The work-stealing deque of Chase and Lev, with an array that grows. -DFENCES: with fences where Lê, Pop, Cohen and Zappa
 * Nardelli (PPoPP 2013) have them. */
#include <plumb.h>

#include <stdatomic.h>
#include <stdlib.h>

struct array {
    size_t size;
    atomic_int items[];
};

static atomic_long top, bottom;
static _Atomic(struct array *) array;

PLUMB_OBJECT(deque)
PLUMB_ROLE(owner, push_back, pop_back)
PLUMB_ROLE_MANY(thief, pop_front)
PLUMB_TEST("push_back(1) => push_back(2) pop_back pop_back | pop_front")

/* A thief that comes too late may look at an item that was not copied; its compare-and-exchange fails then. */
static struct array *new_array(size_t size)
{
    struct array *a = calloc(1, sizeof *a + size * sizeof a->items[0]);
    a->size = size;
    return a;
}

PLUMB_SETUP()
{
    atomic_init(&array, new_array(1));
}

static struct array *grow(struct array *old, long t, long b)
{
    struct array *bigger = new_array(2 * old->size);
    for (long i = t; i < b; i++) {
        int item = atomic_load_explicit(&old->items[(size_t)i % old->size], memory_order_seq_cst);
        atomic_store_explicit(&bigger->items[(size_t)i % bigger->size], item, memory_order_seq_cst);
    }
    atomic_store_explicit(&array, bigger, memory_order_seq_cst);
    return bigger;
}

PLUMB_OP(push_back, int, v)
{
    long b = atomic_load_explicit(&bottom, memory_order_seq_cst);
    long t = atomic_load_explicit(&top, memory_order_seq_cst);
    struct array *a = atomic_load_explicit(&array, memory_order_seq_cst);
    if (b - t > (long)a->size - 1)
        a = grow(a, t, b);
    atomic_store_explicit(&a->items[(size_t)b % a->size], v, memory_order_seq_cst);
#ifdef FENCES
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_store_explicit(&bottom, b + 1, memory_order_seq_cst);
    return PLUMB_OK;
}

PLUMB_OP(pop_back)
{
    long b = atomic_load_explicit(&bottom, memory_order_seq_cst) - 1;
    struct array *a = atomic_load_explicit(&array, memory_order_seq_cst);
    atomic_store_explicit(&bottom, b, memory_order_seq_cst);
#ifdef FENCES
    atomic_thread_fence(memory_order_seq_cst);
#endif
    long t = atomic_load_explicit(&top, memory_order_seq_cst);
    if (t > b) {
        atomic_store_explicit(&bottom, b + 1, memory_order_seq_cst);
        return PLUMB_NONE;
    }
    int item = atomic_load_explicit(&a->items[(size_t)b % a->size], memory_order_seq_cst);
    if (t < b)
        return PLUMB_INT(item);
    _Bool won =
        atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_seq_cst);
    atomic_store_explicit(&bottom, b + 1, memory_order_seq_cst);
    return won ? PLUMB_INT(item) : PLUMB_NONE;
}

PLUMB_OP(pop_front)
{
    for (;;) {
        long t = atomic_load_explicit(&top, memory_order_seq_cst);
#ifdef FENCES
        atomic_thread_fence(memory_order_seq_cst);
#endif
        long b = atomic_load_explicit(&bottom, memory_order_seq_cst);
        if (t >= b)
            return PLUMB_NONE;
        struct array *a = atomic_load_explicit(&array, memory_order_seq_cst);
        int item = atomic_load_explicit(&a->items[(size_t)t % a->size], memory_order_seq_cst);
        if (atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                    memory_order_seq_cst))
            return PLUMB_INT(item);
    }
}
