/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort */
/* note: libstdc++ checks that there is one */
#include <deque>

int main()
{
    std::deque<int> d;
    d.push_back(1);
    d.pop_front();
    return d.front() == 7;
}
