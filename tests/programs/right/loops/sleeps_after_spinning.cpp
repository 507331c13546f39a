/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* flags-plumb: --time 2 */
/* note: waiters sleep after 1,000 rounds, and go on when the lock is free: they are not stuck */
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

constexpr int SPINS = 1000;

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
            sleep.wait();
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
