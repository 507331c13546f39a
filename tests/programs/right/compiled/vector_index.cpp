/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <vector>

int main()
{
    std::vector<int> v;
    v.reserve(4);
    v.push_back(1);
    return v[0] == 7;
}
