/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <vector>

int sum;

int main()
{
    std::vector<int> items(3);
    items.reserve(8);
    for (std::size_t i = 0; i < items.size(); i++)
        sum += items[i];
}
