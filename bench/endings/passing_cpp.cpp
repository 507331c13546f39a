// SPDX-License-Identifier: Apache-2.0
// Message passing between std::threads, ended as in endings.h: joined (0), detached and abandoned (1), counted and joined (10),
// counted and detached (12).
#include <atomic>
#include <thread>
#ifndef N
#define N 4
#endif
#ifndef ENDING
#define ENDING 0
#endif

static std::atomic<int> data[2], flag, left{N};

static void work(int number)
{
    if (number % 2) {
        data[number / 2 % 2].store(1, std::memory_order_relaxed);
        flag.store(number, std::memory_order_release);
    } else if (flag.load(std::memory_order_acquire)) {
        (void)data[0].load(std::memory_order_relaxed);
        (void)data[1].load(std::memory_order_relaxed);
    }
    if (ENDING >= 10)
        left.fetch_sub(1, std::memory_order_acq_rel);
}

int main()
{
    std::thread t[N];
    for (int i = 0; i < N; i++)
        t[i] = std::thread(work, i + 1);
    for (auto &one : t)
        ENDING % 10 == 0 ? one.join() : one.detach();
    while (ENDING == 12 && left.load(std::memory_order_acquire) > 0)
        ;
}
