/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: waits on a shared lock */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::condition_variable_any changed;
static int value;

int main()
{
    std::thread setter([] {
        {
            std::unique_lock exclusive(lock);
            value = 4;
        }
        changed.notify_all();
    });
    {
        std::shared_lock shared(lock);
        while (value == 0)
            changed.wait(shared);
        assert(value == 4);
    }
    setter.join();
}
