/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: two workers, two phases, a completion function */
#include <barrier>
#include <cassert>
#include <thread>

int main()
{
    int phases = 0, cells[2] = {0, 0};
    auto completed = [&phases]() noexcept { phases++; };
    std::barrier barrier(2, completed);
    auto work = [&](int me) {
        cells[me] = 1;
        barrier.arrive_and_wait();
        int other = cells[1 - me];
        barrier.arrive_and_wait();
        cells[me] += other;
    };
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
    assert(phases == 2 && cells[0] == 2 && cells[1] == 2);
}
