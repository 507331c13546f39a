/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race|assert */
/* note: a writer spins for readers to leave, then closes the door and waits; wrong: with the door closed it does not wait */
#include <atomic>
#include <cassert>
#include <thread>

#ifndef SPINS
#define SPINS 1000
#endif

static std::atomic<int> state{0}; /* readers; -1000: a writer; +10000: the door is closed */
static int data[2];

static void read_lock()
{
    for (;;) {
        int found = state.load(std::memory_order_relaxed);
        if (found >= 0 && found < 10000 &&
            state.compare_exchange_strong(found, found + 1, std::memory_order_acquire))
            return;
    }
}

static void write_lock()
{
    for (int spin = 0; spin < SPINS; spin++) {
        int none = 0;
        if (state.load(std::memory_order_relaxed) == 0 &&
            state.compare_exchange_strong(none, -1000, std::memory_order_acquire))
            return;
    }
    state.fetch_add(10000, std::memory_order_relaxed);
#ifndef WRONG
    while (state.load(std::memory_order_acquire) != 10000)
        ;
#endif
    state.store(-1000, std::memory_order_relaxed);
}

int main()
{
    std::thread reader([] {
        read_lock();
        assert(data[0] == data[1]);
        state.fetch_sub(1, std::memory_order_release);
    });
    std::thread writer([] {
        write_lock();
        data[0]++, data[1]++;
        state.store(0, std::memory_order_release);
    });
    reader.join();
    writer.join();
}
