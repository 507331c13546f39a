// SPDX-License-Identifier: Apache-2.0
// rmind/ringbuf: ranges of a ring, several producers, one consumer.
#include <plumb.h>

#include <stdlib.h>
#include <sys/cdefs.h>
#include <sys/types.h>

#include <ringbuf.h>

static ringbuf_t *ring;
static ringbuf_worker_t *handle[4];
static char bytes[4];

PLUMB_OBJECT(queue)
PLUMB_ROLE(consumer, deq)
PLUMB_SETUP()
{
    size_t size;
    ringbuf_get_sizes(4, &size, 0);
    ring = malloc(size);
    ringbuf_setup(ring, 4, sizeof bytes);
    for (unsigned i = 0; i < 4; i++)
        handle[i] = ringbuf_register(ring, i);
}
PLUMB_OP(enq, long, v)
{
    ssize_t at;
    while ((at = ringbuf_acquire(ring, handle[plumb_thread()], 1)) < 0) // full
        ;
    bytes[at] = (char)v;
    ringbuf_produce(ring, handle[plumb_thread()]);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    size_t at;
    while (!ringbuf_consume(ring, &at)) // nothing yet, or an older range is still being filled
        ;
    char v = bytes[at];
    ringbuf_release(ring, 1);
    return PLUMB_INT(v);
}
