// SPDX-License-Identifier: Apache-2.0
// A stack with a lock. pop looks first without it, for speed; when the last element is taken between that look and the lock, it returns
// with the lock held, and the next call waits forever. With -DFIXED the lock is given back on every path.
#include <plumb.h>
#include <atomic>
#include <mutex>
#include <new>
#include <vector>

#ifdef FIXED
using guard = std::unique_lock<std::mutex>;
#else
struct guard {
    explicit guard(std::mutex &m) : mutex(m)
    {
        mutex.lock();
    }
    void unlock()
    {
        mutex.unlock();
    }
    std::mutex &mutex;
};
#endif

static std::mutex mutex;
static std::vector<long> elements;
static std::atomic<size_t> count;

PLUMB_OBJECT(stack)

PLUMB_SETUP()
{
    new (&mutex) std::mutex; // the last round may have left it locked
    elements.clear();
    count = 0;
}

PLUMB_OP(push, long, value)
{
    guard g(mutex);
    elements.push_back(value);
    count = elements.size();
    g.unlock();
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    if (count == 0)
        return PLUMB_NONE;
    guard g(mutex);
    if (elements.empty())
        return PLUMB_NONE;
    long value = elements.back();
    elements.pop_back();
    count = elements.size();
    g.unlock();
    return PLUMB_INT(value);
}

PLUMB_TEST("push(1) => pop | pop push(2)")
