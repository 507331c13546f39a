/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: tasks that can only be moved: no reference counts but those of the results */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable ready;
static std::deque<std::packaged_task<int()>> tasks;
static bool done;

static void worker()
{
    for (;;) {
        std::unique_lock guard(lock);
        while (tasks.empty() && !done)
            ready.wait(guard);
        if (tasks.empty())
            return;
        std::packaged_task<int()> task = std::move(tasks.front());
        tasks.pop_front();
        guard.unlock();
        task();
    }
}

static std::future<int> submit(int n)
{
    std::packaged_task<int()> task([n] { return n * n; });
    std::future<int> result = task.get_future();
    {
        std::lock_guard guard(lock);
        tasks.push_back(std::move(task));
    }
    ready.notify_one();
    return result;
}

int main()
{
    std::thread one(worker), two(worker);
    std::future<int> a = submit(3), b = submit(4);
    assert(a.get() + b.get() == 25);
    {
        std::lock_guard guard(lock);
        done = true;
    }
    ready.notify_all();
    one.join();
    two.join();
}
