/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* all: violated deadlock */
/* note: counting_semaphore of libstdc++ 12 can sleep forever (gcc bug 104928), which takes every execution to see */
/* std: c++20 */
/* flags: -DPLUMB_LIBRARY_WAITS */
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

int main()
{
    std::latch ready(2);
    std::barrier meet(2);
    std::counting_semaphore<4> tokens(1);
    int cells[2] = {0, 0}, guarded = 0;
    auto work = [&](int me) {
        cells[me] = 1;
        meet.arrive_and_wait();
        assert(cells[!me] == 1);
        tokens.acquire();
        guarded++;
        tokens.release();
        ready.count_down();
    };
    std::thread a(work, 0), b(work, 1);
    ready.wait();
    assert(guarded == 2);
    a.join();
    b.join();
}
