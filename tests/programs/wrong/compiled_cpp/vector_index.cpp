/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort */
/* note: libstdc++ checks the index */
#include <vector>

int main()
{
    std::vector<int> v;
    v.reserve(4);
    v.push_back(1);
    return v[1] == 7;
}
