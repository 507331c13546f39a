/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: a latch that is waited for by spinning with yields, then under a mutex; wrong: who opens it does not take the mutex */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef SPINS
#define SPINS 1000
#endif

static std::atomic<bool> open{false};
static std::mutex mutex;
static std::condition_variable opened;
static int data;

static void wait()
{
    int left = SPINS;
    while (!open.load(std::memory_order_acquire)) {
        if (--left > 0) {
            std::this_thread::yield();
            continue;
        }
        std::unique_lock<std::mutex> held(mutex);
        while (!open.load(std::memory_order_acquire))
            opened.wait(held);
        return;
    }
}

int main()
{
    std::thread waiter([] {
        wait();
        assert(data == 1);
    });
    data = 1;
#ifndef WRONG
    std::unique_lock<std::mutex> held(mutex);
    open.store(true, std::memory_order_release);
    held.unlock();
#else
    open.store(true, std::memory_order_release);
#endif
    opened.notify_one();
    waiter.join();
}
