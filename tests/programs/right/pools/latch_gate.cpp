/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: workers start together and are waited for */
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

int main()
{
    std::latch start(1), done(2);
    int result[2] = {0, 0};
    std::vector<std::jthread> workers;
    for (int i = 0; i < 2; i++)
        workers.emplace_back([&, i] {
            start.wait();
            result[i] = i + 1;
            done.count_down();
        });
    start.count_down();
    done.wait();
    assert(result[0] + result[1] == 3);
}
