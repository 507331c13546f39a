/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: the size of a multimap is read while another thread erases */
#include <map>
#include <mutex>
#include <thread>

static std::mutex lock;
std::multimap<int, int> table{{1, 1}, {1, 2}};
size_t seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    table.erase(table.begin());
}

static void two()
{
    seen = table.size();
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
