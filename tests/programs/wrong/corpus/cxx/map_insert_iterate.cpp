/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: a map is walked while another thread inserts */
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
    for (auto &[key, value] : table)
        sum += value;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
