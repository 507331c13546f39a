/* SPDX-License-Identifier: Apache-2.0 */
/* A harness for ring.rs: its functions are C's to the linker. README.md has the commands. */
#include <plumb.h>
#include <stdbool.h>

struct ring *ring_new(void);
bool ring_push(const struct ring *, long);
bool ring_pop(const struct ring *, long *);

static struct ring *ring;

/* weak: a push or pop fails while another thread is between its compare-and-swap and its store. */
PLUMB_OBJECT(queue(cap=2, weak))
PLUMB_SETUP()
{
    ring = ring_new();
}
PLUMB_OP(enq, long, v)
{
    return PLUMB_BOOL(ring_push(ring, v));
}
PLUMB_OP(deq)
{
    long value;
    return ring_pop(ring, &value) ? PLUMB_INT(value) : PLUMB_NONE;
}
