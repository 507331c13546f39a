// SPDX-License-Identifier: Apache-2.0
// hogliux/farbot, fifo.hpp: a ring for several producers and consumers, who write down where they are.
#include <plumb.h>

#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include <farbot/fifo.hpp>

using many = farbot::fifo_options::concurrency;
static farbot::fifo<long, many::multiple, many::multiple> ring(4);

PLUMB_OBJECT(queue(cap=4, weak))
PLUMB_OP(enq, long, v)
{
    return PLUMB_BOOL(ring.push(std::move(v)));
}
PLUMB_OP(deq)
{
    long v;
    return ring.pop(v) ? PLUMB_INT(v) : PLUMB_NONE;
}
