/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <mutex>
#include <set>
#include <thread>

static std::mutex lock;
std::set<int> members;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    members.insert(1);
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    members.insert(2);
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
