// SPDX-License-Identifier: Apache-2.0
// ssbl/concurrent-deque: one worker pushes and pops at one end, stealers take from the other.
#include <plumb.h>

#include <deque.hpp>

#define FILL                                                                                      \
    "push_back(1) push_back(2) push_back(3) push_back(4) push_back(5) push_back(6) push_back(7) " \
    "push_back(8) "                                                                               \
    "push_back(9) push_back(10) push_back(11) push_back(12) push_back(13) push_back(14) push_back(15) "

static deque::Worker<long> *worker;
static deque::Stealer<long> *stealers[3];

PLUMB_OBJECT(deque)
#ifdef GROW // the buffer of 16 gets too small: a larger one, and the old one is freed
PLUMB_TEST(FILL "=> push_back(16) | pop_front")
#else // never too small, but its first place is used again
PLUMB_TEST(FILL "=> pop_front pop_front push_back(16) push_back(17) | pop_front")
#endif
PLUMB_SETUP()
{
    auto ends = deque::deque<long>();
    worker = new deque::Worker<long>(std::move(ends.first));
    for (auto &s : stealers)
        s = new deque::Stealer<long>(ends.second); // each thread has its own copy
}
PLUMB_OP(push_back, long, v)
{
    worker->push(v);
    return PLUMB_OK;
}
PLUMB_OP(pop_front)
{
    for (;;) // nothing is also the answer when another thread was faster: again
        if (auto v = stealers[plumb_thread()]->steal())
            return PLUMB_INT(*v);
}
