/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: looks twenty times, then waits on a condition variable; wrong: notified without the mutex in between */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class event
{
  public:
    void set()
    {
#ifdef WRONG
        set_.store(true, std::memory_order_release);
#else
        {
            std::lock_guard guard(m_);
            set_.store(true, std::memory_order_release);
        }
#endif
        changed_.notify_all();
    }

    void wait()
    {
        for (int i = 0; i < 20; ++i)
            if (set_.load(std::memory_order_acquire))
                return;
        std::unique_lock guard(m_);
        changed_.wait(guard, [this] { return set_.load(std::memory_order_acquire); });
    }

  private:
    std::atomic<bool> set_{false};
    std::mutex m_;
    std::condition_variable changed_;
};

int main()
{
    event done;
    int result = 0;
    std::thread worker([&] {
        result = 9;
        done.set();
    });
    done.wait();
    assert(result == 9);
    worker.join();
}
