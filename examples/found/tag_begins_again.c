/* SPDX-License-Identifier: Apache-2.0 */
/* ARM-software/progress64, p64_msqueue with tags: each thread uses its elements again, as tags are there to allow, and as
 * an example of the library does. Compiled with its own file, p64_errhnd, p64_hazardptr, p64_spinlock, os_abstraction and thr_idx, with
 * -mcx16 -DNDEBUG. */
#include <plumb.h>
#include <stdlib.h>

#include <p64_msqueue.h>

static p64_ptr_tag_t head, tail;
static _Thread_local p64_msqueue_elem_t *spare;

static p64_msqueue_elem_t *take_element(void)
{
    p64_msqueue_elem_t *e = spare ? spare : malloc(sizeof *e + sizeof(long));
    spare = NULL;
    *e = (p64_msqueue_elem_t){.next.tag = ~0UL, .max_size = sizeof(long)};
    return e;
}

PLUMB_OBJECT(queue)
PLUMB_SETUP()
{
    p64_msqueue_init(&head, &tail, P64_ABA_TAG, take_element());
}
PLUMB_OP(enq, long, v)
{
    p64_msqueue_enqueue(&head, &tail, take_element(), &v, sizeof v);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    long v;
    uint32_t size = sizeof v;
    p64_msqueue_elem_t *e = p64_msqueue_dequeue(&head, &tail, &v, &size);
    spare = e;
    return e ? PLUMB_INT(v) : PLUMB_NONE;
}
