/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: spins first, then yields, then sleeps: a class counts the turns for the lock */
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

class backoff
{
  public:
    void wait()
    {
        if (turn_ < 4) {
            for (int i = 0; i < (1 << turn_); ++i)
                std::atomic_signal_fence(std::memory_order_seq_cst);
        } else if (turn_ < 8) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
        if (turn_ < 8)
            ++turn_;
    }

  private:
    int turn_ = 0;
};

class spinlock
{
  public:
    void lock()
    {
        backoff b;
        while (flag_.test_and_set(std::memory_order_acquire))
            b.wait();
    }

    void unlock()
    {
        flag_.clear(std::memory_order_release);
    }

  private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

int main()
{
    spinlock lock;
    int counter = 0;
    auto run = [&] {
        std::lock_guard guard(lock);
        ++counter;
    };
    std::thread one(run), two(run);
    one.join();
    two.join();
    assert(counter == 2);
}
