/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: a queue of one reader and one writer whose reader spins, then parks; wrong: it does not look again before it parks */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef SPINS
#define SPINS 1000
#endif

static std::atomic<int> head{0}, tail{0};
static int slots[4];
static std::mutex mutex;
static std::condition_variable parked;
static std::atomic<bool> sleeps{false};

static bool is_empty()
{
    return head.load(std::memory_order_relaxed) == tail.load(std::memory_order_acquire);
}

static int pop()
{
    for (int spin = 0; spin < SPINS && is_empty(); spin++)
        ;
    if (is_empty()) {
        std::unique_lock<std::mutex> held(mutex);
        sleeps.store(true, std::memory_order_seq_cst);
#ifdef WRONG
        parked.wait(held);
#else
        std::atomic_thread_fence(std::memory_order_seq_cst);
        while (is_empty())
            parked.wait(held);
#endif
        sleeps.store(false, std::memory_order_relaxed);
    }
    int at = head.load(std::memory_order_relaxed);
    int value = slots[at];
    head.store(at + 1, std::memory_order_release);
    return value;
}

static void push(int value)
{
    int at = tail.load(std::memory_order_relaxed);
    slots[at] = value;
    tail.store(at + 1, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (sleeps.load(std::memory_order_seq_cst)) {
        std::lock_guard<std::mutex> held(mutex);
        parked.notify_one();
    }
}

int main()
{
    std::thread reader([] { assert(pop() == 7); });
    push(7);
    reader.join();
}
