/* SPDX-License-Identifier: Apache-2.0 */
/* The bounded queue of Vyukov, two cells and numbers of eight bits. An enq that has taken its cell and is slow hides what others have
 * added behind it, so that deq answers "empty" where a queue would not. */
#include <plumb.h>
#include <stdatomic.h>

#ifndef NUMBER
#define NUMBER unsigned char
#define SIGNED signed char
#endif

enum { CELLS = 2 };
static struct {
    _Atomic NUMBER turn;
    int value;
} cells[CELLS];
static _Atomic NUMBER enq_at, deq_at;

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    for (unsigned i = 0; i < CELLS; i++)
        atomic_init(&cells[i].turn, i);
}

PLUMB_OP(enq, int, v)
{
    NUMBER at = atomic_load(&enq_at);
    for (;;) {
        NUMBER turn = atomic_load(&cells[at % CELLS].turn);
        SIGNED distance = (SIGNED)(turn - at);
        if (distance == 0 && atomic_compare_exchange_strong(&enq_at, &at, at + 1))
            break;
        if (distance < 0)
            return PLUMB_BOOL(false);
        if (distance > 0)
            at = atomic_load(&enq_at);
    }
    cells[at % CELLS].value = v;
    atomic_store(&cells[at % CELLS].turn, at + 1);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    NUMBER at = atomic_load(&deq_at);
    for (;;) {
        NUMBER turn = atomic_load(&cells[at % CELLS].turn);
        SIGNED distance = (SIGNED)(turn - (NUMBER)(at + 1));
        if (distance == 0 && atomic_compare_exchange_strong(&deq_at, &at, at + 1))
            break;
        if (distance < 0)
            return PLUMB_NONE;
        if (distance > 0)
            at = atomic_load(&deq_at);
    }
    int v = cells[at % CELLS].value;
    atomic_store(&cells[at % CELLS].turn, at + CELLS);
    return PLUMB_INT(v);
}
