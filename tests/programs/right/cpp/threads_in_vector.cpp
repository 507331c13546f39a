/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main()
{
    std::vector<std::thread> threads;
    std::vector<int> results(3);
    std::atomic<int> total{0};
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&results, &total, i] {
            results[i] = i * i;
            total.fetch_add(i, std::memory_order_relaxed);
        });
    for (auto &t : threads)
        t.join();
    assert(total == 3);
    assert(results[0] == 0 && results[1] == 1 && results[2] == 4);
}
