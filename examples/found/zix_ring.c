// SPDX-License-Identifier: Apache-2.0
// drobilla/zix, ring.c: a ring of bytes for one reader and one writer.
#include <plumb.h>

#include <zix/ring.h>

static ZixRing *ring;

PLUMB_OBJECT(queue)
PLUMB_ROLE(writer, enq)
PLUMB_ROLE(reader, deq)
PLUMB_SETUP()
{
    ring = zix_ring_new(0, 4);
}
PLUMB_TEARDOWN()
{
    zix_ring_free(ring);
}
PLUMB_OP(enq, long, v)
{
    char byte = (char)v;
    zix_ring_write(ring, &byte, 1);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    char byte;
    return zix_ring_read(ring, &byte, 1) ? PLUMB_INT(byte) : PLUMB_NONE;
}
