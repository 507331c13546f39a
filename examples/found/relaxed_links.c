/* SPDX-License-Identifier: Apache-2.0 */
/* ARM-software/progress64, p64_mcqueue: a queue with links inside the elements, which are never used again here. Compiled with
 * its own file. */
#include <plumb.h>
#include <stdlib.h>

#include <p64_mcqueue.h>

struct item {
    p64_mcqueue_elem_t link;
    long value;
};

static p64_mcqueue_t queue;

PLUMB_OBJECT(queue)
PLUMB_SETUP()
{
    p64_mcqueue_init(&queue);
}
PLUMB_OP(enq, long, v)
{
    struct item *i = malloc(sizeof *i);
    i->value = v;
    p64_mcqueue_enqueue(&queue, &i->link);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    struct item *i = (struct item *)p64_mcqueue_dequeue(&queue);
    return i ? PLUMB_INT(i->value) : PLUMB_NONE;
}
