/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: test and test-and-set with std::atomic_flag, three threads, one yield in every turn */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class spinlock
{
  public:
    void lock() noexcept
    {
        for (;;) {
            if (!flag_.test_and_set(std::memory_order_acquire))
                return;
            while (flag_.test(std::memory_order_relaxed))
                std::this_thread::yield();
        }
    }

    bool try_lock() noexcept
    {
        return !flag_.test(std::memory_order_relaxed) && !flag_.test_and_set(std::memory_order_acquire);
    }

    void unlock() noexcept
    {
        flag_.clear(std::memory_order_release);
    }

  private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

int main()
{
    spinlock lock;
    int counter = 0, tried = 0;
    auto run = [&] {
        std::lock_guard<spinlock> guard(lock);
        ++counter;
    };
    std::thread one(run), two(run);
    if (std::unique_lock<spinlock> guard(lock, std::try_to_lock); guard) {
        ++counter;
        tried = 1;
    }
    one.join();
    two.join();
    assert(counter == 2 + tried);
}
