/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready;

int main()
{
    std::thread setter([] {
        std::lock_guard guard(lock);
        ready = true;
        changed.notify_all();
    });
    {
        std::unique_lock guard(lock);
        bool seen = changed.wait_for(guard, std::chrono::milliseconds(20), [] { return ready; });
        assert(seen == ready);
    }
    setter.join();
    assert(ready);
}
