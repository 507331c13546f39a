/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: a wait group: who waits spins, then sleeps; wrong: the last one that is done notifies only if it saw a sleeper before it was done */
#include <atomic>
#include <cassert>
#include <thread>

#ifndef SPINS
#define SPINS 1000
#endif

static std::atomic<int> left{2};
static std::atomic<bool> sleeps{false};
static int work[2];

static void done()
{
#ifdef WRONG
    bool wakes = sleeps.load();
#endif
    if (left.fetch_sub(1) != 1)
        return;
#ifndef WRONG
    bool wakes = sleeps.load();
#endif
    if (wakes)
        left.notify_all();
}

static void wait()
{
    for (int spin = 0; spin < SPINS; spin++)
        if (left.load(std::memory_order_acquire) == 0)
            return;
    sleeps.store(true);
    for (int now = left.load(); now != 0; now = left.load())
        left.wait(now);
}

int main()
{
    std::thread one([] { work[0] = 1, done(); }), two([] { work[1] = 1, done(); });
    wait();
    assert(work[0] + work[1] == 2);
    one.join();
    two.join();
}
