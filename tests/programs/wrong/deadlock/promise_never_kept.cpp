/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: both threads think that the other one sets the value */
#include <atomic>
#include <future>
#include <thread>

static std::promise<int> promise;
static std::atomic<int> arrived{0};

static void work()
{
    if (arrived.load() == 1)
        promise.set_value(1);
    else
        arrived.store(1);
}

int main()
{
    std::future<int> future = promise.get_future();
    std::thread a(work), b(work);
    future.get();
    a.join();
    b.join();
}
