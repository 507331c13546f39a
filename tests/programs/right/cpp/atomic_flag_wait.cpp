/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* std: c++20 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag gate;
static int data;

int main()
{
    std::thread t([] {
        data = 3;
        gate.test_and_set(std::memory_order_release);
        gate.notify_one();
    });
    gate.wait(false, std::memory_order_acquire);
    assert(gate.test() && data == 3);
    t.join();
}
