/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <map>
#include <mutex>
#include <thread>

static std::mutex lock;
std::map<int, int> table{{1, 1}, {2, 2}};
int sum;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    table[3] = 3;
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    for (auto &[key, value] : table)
        sum += value;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
