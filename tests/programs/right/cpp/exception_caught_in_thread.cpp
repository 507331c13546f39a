/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: both threads throw and unwind at the same time, through a lock guard */
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock;
static std::atomic<int> caught{0};

static void inner(int value)
{
    std::lock_guard guard(lock);
    if (value > 0)
        throw std::runtime_error("positive");
}

static void work(int value)
{
    try {
        inner(value);
    } catch (const std::exception &) {
        caught++;
        try {
            throw value;
        } catch (int same) {
            assert(same == value);
        }
    }
}

int main()
{
    std::thread a(work, 1), b(work, 2);
    a.join();
    b.join();
    assert(caught == 2);
    assert(lock.try_lock());
    lock.unlock();
}
