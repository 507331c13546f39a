/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <atomic>
#include <thread>

static int result;
static std::atomic<bool> finished{false};

static void worker()
{
    result = 3;
    finished.store(true, std::memory_order_release);
}

static void watcher()
{
    if (finished.load(std::memory_order_acquire))
        result++;
}

int main()
{
    std::thread a(worker), b(watcher);
    a.join();
    b.join();
}
