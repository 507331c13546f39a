/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* rc11: violated deadlock */
/* tso: violated deadlock */
/* note: a release store and the look at the number of waiters may swap: libstdc++ 12 has no fence there */
/* std: c++20 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> stage{0};
static int data;

int main()
{
    std::thread t([] {
        data = 5;
        stage.store(1, std::memory_order_release);
        stage.notify_one();
        stage.wait(1);
        assert(data == 6);
    });
    stage.wait(0, std::memory_order_acquire);
    assert(data == 5);
    data = 6;
    stage.store(2, std::memory_order_release);
    stage.notify_all();
    t.join();
}
