// SPDX-License-Identifier: Apache-2.0
// gpdaniels/gtl, triple_buffer: one producer, one consumer, which reads the newest value.
#include <plumb.h>

#include <triple_buffer>

#ifdef FIXED // the repaired one has its buffers inside
static gtl::triple_buffer<long> buffer;
#else
static long a, b, c;
static gtl::triple_buffer<long> buffer(a, b, c);
#endif

PLUMB_OBJECT(register(0))
PLUMB_ROLE(producer, write)
PLUMB_ROLE(consumer, read)
PLUMB_OP(write, long, v)
{
    buffer.get_write() = v;
    buffer.update_write();
    return PLUMB_OK;
}
PLUMB_OP(read)
{
    buffer.update_read();
    return PLUMB_INT(buffer.get_read());
}
