/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <deque>
#include <thread>

static std::deque<int> d;

int main()
{
    std::thread other([] { d.push_front(1); });
    d.push_back(2);
    other.join();
    return d.empty();
}
