/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* note: tasks for a jthread that waits for them or for its end; what is learnt about its objects ends the first executions early */
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

struct pool {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::queue<std::function<void()>> tasks;
    std::unique_ptr<std::jthread> thread;

    void work(const std::stop_token &stop)
    {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, stop, [this] { return !tasks.empty(); });
            if (stop.stop_requested())
                return;
            std::function<void()> task = std::move(tasks.front());
            tasks.pop();
            lock.unlock();
            task();
            task = nullptr;
            lock.lock();
        }
    }

    pool()
    {
        thread = std::make_unique<std::jthread>([this](const std::stop_token &stop) { work(stop); });
    }
};

int main()
{
    pool p;
    auto answer = std::make_shared<std::promise<int>>();
    std::future<int> future = answer->get_future();
    {
        std::scoped_lock lock(p.mutex);
        p.tasks.emplace([answer] { answer->set_value(1); });
    }
    p.changed.notify_one();
    assert(future.get() == 1);
}
