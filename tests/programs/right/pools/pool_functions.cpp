/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <condition_variable>
#include <functional>
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
            workers.emplace_back([this] { run(); });
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
    void submit(std::function<void()> task)
    {
        {
            std::unique_lock<std::mutex> guard(lock);
            tasks.push(std::move(task));
        }
        ready.notify_one();
    }

  private:
    void run()
    {
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
    }
    std::vector<std::thread> workers;
    std::queue<std::function<void()>> tasks;
    std::mutex lock;
    std::condition_variable ready;
    bool stopping = false;
};

int main()
{
    int a = 0, b = 0;
    {
        ThreadPool pool(2);
        pool.submit([&a] { a++; });
        pool.submit([&b] { b++; });
    }
    assert(a == 1 && b == 1);
}
