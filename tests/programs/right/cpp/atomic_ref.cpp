/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* std: c++20 */
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main()
{
    std::vector<int> bins(2);
    auto count = [&bins] {
        for (int &bin : bins)
            std::atomic_ref<int>(bin).fetch_add(1, std::memory_order_relaxed);
    };
    std::thread a(count), b(count);
    a.join();
    b.join();
    assert(bins[0] == 2 && bins[1] == 2);
}
