/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: a worker counts down before it has written its result */
#include <latch>
#include <thread>

int main()
{
    std::latch done(2);
    int cells[2] = {0, 0};
    auto work = [&](int me) {
        done.count_down();
        cells[me] = 1;
    };
    std::thread a(work, 0), b(work, 1);
    done.wait();
    cells[0] += cells[1];
    a.join();
    b.join();
}
