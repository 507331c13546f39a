/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: two asynchronous calls */
#include <cassert>
#include <future>
#include <numeric>
#include <vector>

int main()
{
    std::vector<int> numbers{1, 2, 3, 4};
    auto half = [&](int from, int to) {
        return std::accumulate(numbers.begin() + from, numbers.begin() + to, 0);
    };
    std::future<int> a = std::async(std::launch::async, half, 0, 2);
    std::future<int> b = std::async(std::launch::async, half, 2, 4);
    assert(a.get() + b.get() == 10);
}
