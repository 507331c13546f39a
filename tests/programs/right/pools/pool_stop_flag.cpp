/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: workers look at an atomic flag; stopping sets it under the lock */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

static std::mutex lock;
static std::condition_variable ready;
static std::queue<std::function<void()>> tasks;
static std::atomic<bool> stop{false};
static std::atomic<int> ran{0};

static void worker()
{
    while (true) {
        std::function<void()> task;
        {
            std::unique_lock<std::mutex> guard(lock);
            ready.wait(guard, [] { return stop || !tasks.empty(); });
            if (tasks.empty())
                return;
            task = std::move(tasks.front());
            tasks.pop();
        }
        task();
    }
}

int main()
{
    std::thread one(worker), two(worker);
    for (int i = 0; i < 2; i++) {
        std::lock_guard<std::mutex> guard(lock);
        tasks.push([] { ran++; });
        ready.notify_one();
    }
    {
        std::lock_guard<std::mutex> guard(lock);
        stop = true;
    }
    ready.notify_all();
    one.join();
    two.join();
    assert(ran == 2);
}
