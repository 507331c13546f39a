/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the second phase has no wait: one may still read what the other writes again */
#include <barrier>
#include <thread>

int main()
{
    std::barrier meet(2);
    int cells[2] = {0, 0};
    auto work = [&](int me) {
        cells[me] = 1;
        meet.arrive_and_wait();
        int other = cells[1 - me];
        cells[me] += other;
    };
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
}
