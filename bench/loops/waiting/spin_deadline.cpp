/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a chrono deadline, a yield in every turn; what came too late is taken after the join */
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

int main()
{
    std::atomic<int *> slot{nullptr};
    std::thread producer([&] { slot.store(new int(3), std::memory_order_release); });
    const auto deadline = std::chrono::steady_clock::now() + 1ms;
    int *found = nullptr;
    while (!found && std::chrono::steady_clock::now() < deadline) {
        found = slot.load(std::memory_order_acquire);
        std::this_thread::yield();
    }
    if (found)
        assert(*found == 3);
    producer.join();
    found = slot.load(std::memory_order_relaxed);
    assert(*found == 3);
    delete found;
}
