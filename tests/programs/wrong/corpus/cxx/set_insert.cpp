/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: two threads insert into one set */
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
    members.insert(2);
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
