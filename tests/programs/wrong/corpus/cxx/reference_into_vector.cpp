/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* mode: all */
/* note: a reference to an element is kept over a push_back that moves all of them */
#include <thread>
#include <vector>

int main()
{
    std::vector<int> items{1};
    int &first = items[0];
    items.push_back(2);
    std::thread t([&first] { first = 5; });
    t.join();
}
