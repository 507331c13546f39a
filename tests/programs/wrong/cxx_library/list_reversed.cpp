/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <list>
#include <thread>

static std::list<int> l{1, 2, 3};

int main()
{
    std::thread other([] { l.reverse(); });
    bool odd = l.back() % 2;
    other.join();
    return !odd;
}
