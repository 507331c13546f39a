/* SPDX-License-Identifier: Apache-2.0 */
/* ARM-software/progress64, p64_deque: a deque with links inside the elements, which are never used again,
 * as the library asks. Its file and that of p64_errhnd are compiled with it, with -mcx16. */
#include <plumb.h>
#include <stdlib.h>

#include <p64_deque.h>

struct item {
    p64_deque_elem_t links;
    long value;
};

static p64_deque_t deque;

static p64_deque_elem_t *new_item(long v)
{
    struct item *i = malloc(sizeof *i);
    i->value = v;
    return &i->links;
}

static plumb_value answer(p64_deque_elem_t *e)
{
    return e ? PLUMB_INT(((struct item *)e)->value) : PLUMB_NONE;
}

PLUMB_OBJECT(deque)
PLUMB_SETUP()
{
    p64_deque_init(&deque);
}
PLUMB_OP(push_front, long, v)
{
    p64_deque_enqueue_l(&deque, new_item(v));
    return PLUMB_OK;
}
PLUMB_OP(push_back, long, v)
{
    p64_deque_enqueue_r(&deque, new_item(v));
    return PLUMB_OK;
}
PLUMB_OP(pop_front)
{
    return answer(p64_deque_dequeue_l(&deque));
}
PLUMB_OP(pop_back)
{
    return answer(p64_deque_dequeue_r(&deque));
}
