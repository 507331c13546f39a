/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;

int main()
{
    std::thread t([] { changed.notify_one(); });
    {
        std::unique_lock guard(lock);
        changed.wait(guard);
    }
    t.join();
}
