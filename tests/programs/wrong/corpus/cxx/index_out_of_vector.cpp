/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort|out-of-bounds|assert */
/* mode: all */
/* note: one past the end of a vector: [] with the assertions of libstdc++ */
#include <vector>

int sum;

int main()
{
    std::vector<int> items(3);
    items.reserve(8);
    for (std::size_t i = 0; i <= items.size(); i++)
        sum += items[i];
}
