/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the spins that were counted are printed when all threads have ended */
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<unsigned long> spins{0};
static std::atomic<bool> busy{false};
static int shared;

static void run()
{
    while (busy.exchange(true, std::memory_order_acquire))
        spins.fetch_add(1, std::memory_order_relaxed);
    ++shared;
    busy.store(false, std::memory_order_release);
}

int main()
{
    std::thread one(run), two(run);
    one.join();
    two.join();
    assert(shared == 2);
    std::printf("%lu spins\n", spins.load(std::memory_order_relaxed));
}
