/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: after the timed wait gives up, the flag is read outside the lock */
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready;

int main()
{
    std::thread t([] {
        std::lock_guard guard(lock);
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock guard(lock);
        changed.wait_for(guard, std::chrono::seconds(5), [] { return ready; });
    }
    bool seen = ready;
    t.join();
    return seen && !ready;
}
