/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdint.h>

struct head {
    uint16_t index, tag;
};

static _Atomic struct head head;
static atomic_ushort next[8];

static void push(uint16_t index)
{
    struct head old = atomic_load(&head), new;
    do {
        atomic_store(&next[index], old.index);
        new = (struct head){index, old.tag};
    } while (!atomic_compare_exchange_strong(&head, &old, new));
}

static uint16_t pop(void)
{
    struct head old = atomic_load(&head), new;
    do {
        if (!old.index)
            return 0;
        new = (struct head){atomic_load(&next[old.index]), (old.tag + 1) & 1};
    } while (!atomic_compare_exchange_strong(&head, &old, new));
    return old.index;
}

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    push((uint16_t)v);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    int v = pop();
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

PLUMB_TEST("push(1) push(2) => pop | pop pop push(2) => pop")
