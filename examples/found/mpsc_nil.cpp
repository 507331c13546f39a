// SPDX-License-Identifier: Apache-2.0
// NVIDIA/stdexec, __intrusive_mpsc_queue.hpp: an intrusive queue, several producers, one consumer.
#include <plumb.h>

#include <stdexec/__detail/__config.hpp>
#include <stdexec/__detail/__intrusive_mpsc_queue.hpp>

struct item {
#ifdef FIXED // the repaired queue wants typed links
    std::atomic<item *> next{nullptr};
#else
    std::atomic<void *> next{nullptr};
#endif
};

static STDEXEC::__intrusive_mpsc_queue<&item::next> queue;
static item items[9];

PLUMB_OBJECT(queue)
PLUMB_VALUES(0..8, distinct)
PLUMB_ROLE(consumer, deq)
PLUMB_OP(enq, long, v)
{
    queue.push_back(&items[v]);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    item *first;
    while (!(first = queue.pop_front())) // may answer "none" while an older push is under way: wait for it
        ;
    return PLUMB_INT(first - items);
}
PLUMB_INVARIANT()
{
    return !queue.pop_front();
} // as many items were taken as were put in
