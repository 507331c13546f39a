// SPDX-License-Identifier: Apache-2.0
// andreiavrammsd/cpp-channel, msd/channel.hpp: a channel with room for one element; who writes waits while it is full, who reads while it is empty.
#include <plumb.h>

#include <msd/channel.hpp>

static msd::channel<long> *channel;

PLUMB_OBJECT()
PLUMB_SETUP()
{
    channel = new msd::channel<long>(1);
}
PLUMB_TEARDOWN()
{
    delete channel;
}
PLUMB_OP(enq, long, v)
{
    channel->write(v);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    long v = 0;
    channel->read(v);
    return PLUMB_INT(v);
}
