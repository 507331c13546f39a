/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a queue with counting semaphores for what is full and what is free */
#include <cassert>
#include <mutex>
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> free_slots{1}, used_slots{0};
static std::mutex lock;
static int slots[2], in, out;

static void put(int n)
{
    free_slots.acquire();
    {
        std::lock_guard guard(lock);
        slots[in++ % 2] = n;
    }
    used_slots.release();
}

static int take()
{
    used_slots.acquire();
    int n;
    {
        std::lock_guard guard(lock);
        n = slots[out++ % 2];
    }
    free_slots.release();
    return n;
}

int main()
{
    int sum = 0;
    std::thread producer([] {
        put(1);
        put(2);
    });
    std::thread consumer([&sum] {
        sum += take();
        sum += take();
    });
    producer.join();
    consumer.join();
    assert(sum == 3);
}
