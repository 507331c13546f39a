/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: limits of both clocks; several permits at once */
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

int main()
{
    using namespace std::chrono_literals;
    std::counting_semaphore<3> permits(0);
    bool first = false, second = false;
    std::thread a([&] { first = permits.try_acquire_for(1ms); });
    std::thread b([&] { second = permits.try_acquire_until(std::chrono::system_clock::now() + 1s); });
    permits.release(2);
    a.join();
    b.join();
    int left = 0;
    while (permits.try_acquire())
        left++;
    assert(left + first + second == 2);
    assert(!permits.try_acquire_until(std::chrono::steady_clock::now()));
}
