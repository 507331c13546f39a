// SPDX-License-Identifier: Apache-2.0
// A work-stealing deque (Chase and Lev; memory orders as they are known to be right). Its owner works at the back, thieves
// take from the front. With -DBUG the owner does not compete with thieves for the last element.
#include <plumb.h>

#include <atomic>

namespace {

constexpr long room = 16;
std::atomic<long> front{0}, back{0};
std::atomic<int> items[room];

bool take_front(long at)
{
    return front.compare_exchange_strong(at, at + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
}

}

PLUMB_OBJECT(deque)
PLUMB_ROLE(owner, push_back, pop_back)
PLUMB_ROLE_MANY(thief, pop_front)

PLUMB_OP(push_back, int, value)
{
    long at = back.load(std::memory_order_relaxed);
    items[at % room].store(value, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    back.store(at + 1, std::memory_order_relaxed);
    return PLUMB_OK;
}

PLUMB_OP(pop_back)
{
    long at = back.load(std::memory_order_relaxed) - 1;
    back.store(at, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    long first = front.load(std::memory_order_relaxed);
    if (first > at) {
        back.store(at + 1, std::memory_order_relaxed);
        return PLUMB_NONE;
    }
    int value = items[at % room].load(std::memory_order_relaxed);
    if (first == at) {
#ifdef BUG
        bool mine = true;
        front.store(first + 1, std::memory_order_relaxed);
#else
        bool mine = take_front(first);
#endif
        back.store(at + 1, std::memory_order_relaxed);
        if (!mine)
            return PLUMB_NONE;
    }
    return PLUMB_INT(value);
}

PLUMB_OP(pop_front)
{
    for (;;) {
        long first = front.load(std::memory_order_acquire);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (first >= back.load(std::memory_order_acquire))
            return PLUMB_NONE;
        int value = items[first % room].load(std::memory_order_relaxed);
        if (take_front(first))
            return PLUMB_INT(value);
    }
}
