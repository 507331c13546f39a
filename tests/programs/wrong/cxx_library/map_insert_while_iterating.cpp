/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <map>
#include <thread>

static std::map<int, int> squares{{1, 1}, {3, 9}};

int main()
{
    std::thread other([] { squares.emplace(2, 4); });
    int sum = 0;
    for (auto &entry : squares)
        sum += entry.first;
    other.join();
    return sum == 0;
}
