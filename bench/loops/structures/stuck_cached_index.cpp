/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated */
/* error: deadlock|livelock|endless */
/* note: the producer of a ring refreshes its copy from its own index, and waits forever when the ring is full */
#include <atomic>
#include <thread>

struct ring {
    static constexpr unsigned size = 2;
    std::atomic<unsigned> head{0}, tail{0};
    unsigned cached_head = 0;
    int slots[size] = {};

    void push(int v)
    {
        const unsigned t = tail.load(std::memory_order_relaxed);
        while (t - cached_head >= size)
            cached_head = tail.load(std::memory_order_acquire) - size;
        slots[t % size] = v;
        tail.store(t + 1, std::memory_order_release);
    }

    int pop()
    {
        const unsigned h = head.load(std::memory_order_relaxed);
        while (tail.load(std::memory_order_acquire) == h)
            ;
        const int v = slots[h % size];
        head.store(h + 1, std::memory_order_release);
        return v;
    }
};

int main()
{
    ring r;
    std::thread producer([&] {
        for (int i = 0; i < 3; ++i)
            r.push(i);
    });
    for (int i = 0; i < 3; ++i)
        r.pop();
    producer.join();
}
