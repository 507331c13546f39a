/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
/* note: the notification comes before the task */
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

static std::mutex lock;
static std::condition_variable ready;
static std::queue<std::function<void()>> tasks;

static void worker()
{
    std::unique_lock<std::mutex> guard(lock);
    ready.wait(guard, [] { return !tasks.empty(); });
    std::function<void()> task = std::move(tasks.front());
    tasks.pop();
    guard.unlock();
    task();
}

static void submit(std::function<void()> task)
{
    ready.notify_one();
    std::lock_guard<std::mutex> guard(lock);
    tasks.push(std::move(task));
}

int main()
{
    std::thread one(worker), two(worker);
    submit([] {});
    submit([] {});
    one.join();
    two.join();
}
