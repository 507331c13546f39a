/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: two workers, two tasks; wrong: the end is announced without the mutex, between a worker's look and its sleep */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class thread_pool
{
  public:
    explicit thread_pool(int n)
    {
        for (int i = 0; i < n; ++i)
            workers_.emplace_back([this] { work(); });
    }

    void submit(std::function<void()> task)
    {
        {
            std::lock_guard guard(m_);
            tasks_.push(std::move(task));
        }
        changed_.notify_one();
    }

    ~thread_pool()
    {
        {
#ifndef WRONG
            std::lock_guard guard(m_);
#endif
            stop_ = true;
        }
        changed_.notify_all();
        for (auto &w : workers_)
            w.join();
    }

  private:
    void work()
    {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock guard(m_);
                changed_.wait(guard, [this] { return stop_ || !tasks_.empty(); });
                if (tasks_.empty())
                    return;
                task = std::move(tasks_.front());
                tasks_.pop();
            }
            task();
        }
    }

    std::mutex m_;
    std::condition_variable changed_;
    std::queue<std::function<void()>> tasks_;
    std::atomic<bool> stop_{false};
    std::vector<std::thread> workers_;
};

int main()
{
    std::atomic<int> sum{0};
    {
        thread_pool pool(2);
        pool.submit([&] { sum += 1; });
        pool.submit([&] { sum += 2; });
    }
    assert(sum == 3);
}
