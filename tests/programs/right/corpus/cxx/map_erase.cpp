/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <map>
#include <mutex>
#include <thread>

static std::mutex lock;
std::map<int, int> table{{1, 1}, {2, 2}};
size_t seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    table.erase(1);
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    seen = table.count(2);
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
