/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class ThreadPool
{
  public:
    explicit ThreadPool(unsigned n)
    {
        for (unsigned i = 0; i < n; i++)
            workers.emplace_back([this] {
                for (;;) {
                    std::function<void()> task;
                    {
                        std::unique_lock<std::mutex> guard(lock);
                        ready.wait(guard, [this] { return stopping || !tasks.empty(); });
                        if (stopping && tasks.empty())
                            return;
                        task = std::move(tasks.front());
                        tasks.pop();
                    }
                    task();
                }
            });
    }
    ~ThreadPool()
    {
        {
            std::unique_lock<std::mutex> guard(lock);
            stopping = true;
        }
        ready.notify_all();
        for (std::thread &w : workers)
            w.join();
    }
    template <class F> auto enqueue(F &&f) -> std::future<decltype(f())>
    {
        auto task = std::make_shared<std::packaged_task<decltype(f())()>>(std::forward<F>(f));
        auto result = task->get_future();
        {
            std::unique_lock<std::mutex> guard(lock);
            tasks.emplace([task] { (*task)(); });
        }
        ready.notify_one();
        return result;
    }

  private:
    std::vector<std::thread> workers;
    std::queue<std::function<void()>> tasks;
    std::mutex lock;
    std::condition_variable ready;
    bool stopping = false;
};

int main()
{
    ThreadPool pool(2);
    auto a = pool.enqueue([] { return 20; });
    auto b = pool.enqueue([] { return 22; });
    assert(a.get() + b.get() == 42);
}
