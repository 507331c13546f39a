/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <list>
#include <thread>

static std::list<int> free_list{1, 2}, used;

int main()
{
    std::thread other([] { used.splice(used.end(), free_list, free_list.begin()); });
    int sum = 0;
    for (int one : free_list)
        sum += one;
    other.join();
    return sum == 0;
}
