/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* std: c++17 */
/* named: not examined: libstdc++: std::execution::par in several threads */
/* note: a race, if the algorithm runs in several threads */
#include <algorithm>
#include <execution>
#include <vector>

int main()
{
    int sum = 0;
    std::vector<int> v{1, 2, 3};
    std::for_each(std::execution::par, v.begin(), v.end(), [&](int x) { sum += x; });
    return sum != 6;
}
