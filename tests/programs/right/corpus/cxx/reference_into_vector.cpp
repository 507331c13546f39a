/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <thread>
#include <vector>

int main()
{
    std::vector<int> items{1};
    items.reserve(2);
    int &first = items[0];
    items.push_back(2);
    std::thread t([&first] { first = 5; });
    t.join();
}
