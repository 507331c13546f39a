/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race|assert */
/* note: a small spin lock whose waiters sleep after many rounds; wrong: after a sleep it takes the lock with a store */
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

#ifndef SPINS
#define SPINS 1000
#endif

class sleeper
{
    int spun = 0;

  public:
    bool wait()
    {
        if (spun < SPINS) {
            ++spun;
            return false;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(500));
        return true;
    }
};

static std::atomic<unsigned char> word{0};
static int counter;

static void lock()
{
    sleeper sleep;
    unsigned char found = 0;
    while (!word.compare_exchange_strong(found, 1, std::memory_order_acquire)) {
        do {
#ifdef WRONG
            if (sleep.wait()) {
                word.store(1, std::memory_order_relaxed);
                return;
            }
#else
            sleep.wait();
#endif
        } while (word.load(std::memory_order_relaxed) == 1);
        found = 0;
    }
}

static void run()
{
    lock();
    counter++;
    word.store(0, std::memory_order_release);
}

int main()
{
    std::thread one(run), two(run);
    one.join();
    two.join();
    assert(counter == 2);
}
