/* SPDX-License-Identifier: Apache-2.0 */
/* ARM-software/progress64, p64_ringbuf with a lock-free dequeue. Compiled with its own file, p64_errhnd and os_abstraction,
 * with -DNDEBUG. */
#include <plumb.h>

#include <p64_ringbuf.h>

static p64_ringbuf_t *ring;

PLUMB_OBJECT(queue(cap = 4))
PLUMB_SETUP()
{
    ring = p64_ringbuf_alloc(4, P64_RINGBUF_F_MPENQ | P64_RINGBUF_F_LFDEQ, sizeof(void *));
}
PLUMB_OP(enq, long, v)
{
    void *element = (void *)v;
    return PLUMB_BOOL(p64_ringbuf_enqueue(ring, &element, 1));
}
PLUMB_OP(deq)
{
    void *element;
    uint32_t index;
    return p64_ringbuf_dequeue(ring, &element, 1, &index) ? PLUMB_INT((long)element) : PLUMB_NONE;
}
