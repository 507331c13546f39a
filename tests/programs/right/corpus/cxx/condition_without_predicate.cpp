/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready;

static void waiter()
{
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [] { return ready; });
}

static void setter()
{
    std::lock_guard<std::mutex> guard(lock);
    ready = true;
    changed.notify_one();
}

int main()
{
    std::thread a(waiter), b(setter);
    a.join();
    b.join();
}
