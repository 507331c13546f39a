/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
/* note: a wait that does not look first sleeps through a notification that came before */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable done;
static int result;

int main()
{
    std::thread worker([] {
        std::lock_guard<std::mutex> guard(lock);
        result = 42;
        done.notify_one();
    });
    {
        std::unique_lock<std::mutex> guard(lock);
        done.wait(guard);
    }
    worker.join();
}
