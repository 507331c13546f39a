/* SPDX-License-Identifier: Apache-2.0 */
/* Vyukov's ring for many producers and consumers. A producer that stops between taking a cell and filling it hides later items from
 * consumers, to which the ring then seems empty: an answer, so nobody waits. That it may be a wrong one is a matter of linearizability:
 * --test 'put(1) | put(2) take'. -DWAITS: take waits for the cell to be filled. */
#include <plumb.h>

#include <stdatomic.h>
#include <stddef.h>

enum { SIZE = 2 };

static struct {
    atomic_size_t turn;
    int item;
} cells[SIZE];
static atomic_size_t head, tail;

PLUMB_OBJECT()
PLUMB_TEST("put(1) put(2) | take take")

PLUMB_SETUP()
{
    for (size_t k = 0; k < SIZE; k++)
        atomic_init(&cells[k].turn, k);
}

PLUMB_OP(put, int, v)
{
    size_t t = atomic_load(&tail);
    for (;;) {
        ptrdiff_t ahead = (ptrdiff_t)(atomic_load(&cells[t % SIZE].turn) - t);
        if (ahead < 0)
            return PLUMB_FALSE;
        if (ahead > 0)
            t = atomic_load(&tail);
        else if (atomic_compare_exchange_strong(&tail, &t, t + 1))
            break;
    }
    cells[t % SIZE].item = v;
    atomic_store(&cells[t % SIZE].turn, t + 1);
    return PLUMB_TRUE;
}

PLUMB_OP(take)
{
    size_t h = atomic_load(&head);
    for (;;) {
        ptrdiff_t ahead = (ptrdiff_t)(atomic_load(&cells[h % SIZE].turn) - (h + 1));
#ifdef WAITS
        if (ahead < 0 && atomic_load(&tail) != h)
            continue;
#endif
        if (ahead < 0)
            return PLUMB_NONE;
        if (ahead > 0)
            h = atomic_load(&head);
        else if (atomic_compare_exchange_strong(&head, &h, h + 1))
            break;
    }
    int v = cells[h % SIZE].item;
    atomic_store(&cells[h % SIZE].turn, h + SIZE);
    return PLUMB_INT(v);
}
