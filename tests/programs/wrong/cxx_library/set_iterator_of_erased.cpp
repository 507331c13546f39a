/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* One thread only: the step from a node that is gone is taken inside of the library. */
#include <set>

int main()
{
    std::set<int> s{1, 2, 3};
    auto second = std::next(s.begin());
    s.erase(2);
    return *++second == 7;
}
