/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <set>
#include <thread>

static std::set<int> s{5};

int main()
{
    std::thread other([] { s.insert(1); });
    s.insert(9);
    other.join();
    return s.size() == 7;
}
