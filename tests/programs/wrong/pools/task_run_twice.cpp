/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the task is read in one critical section and removed in the next */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable ready;
static std::deque<std::function<void()>> tasks;
static bool stop;
static std::atomic<int> ran{0};

static void worker()
{
    for (;;) {
        std::function<void()> task;
        {
            std::unique_lock guard(lock);
            ready.wait(guard, [] { return stop || !tasks.empty(); });
            if (tasks.empty())
                return;
            task = tasks.front();
        }
        task();
        std::lock_guard guard(lock);
        if (!tasks.empty())
            tasks.pop_front();
    }
}

int main()
{
    std::thread one(worker), two(worker);
    {
        std::lock_guard guard(lock);
        tasks.push_back([] { ran++; });
        tasks.push_back([] { ran++; });
        stop = true;
    }
    ready.notify_all();
    one.join();
    two.join();
    assert(ran == 2);
}
