/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* The thread that looks never touches the node that goes: rebalancing changes others. */
#include <map>
#include <thread>

static std::map<int, int> m{{1, 1}, {2, 2}, {3, 3}, {4, 4}};

int main()
{
    std::thread other([] { m.erase(1); });
    bool there = m.find(4) != m.end();
    other.join();
    return !there;
}
