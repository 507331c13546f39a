/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: two threads push to the ends of one list */
#include <list>
#include <mutex>
#include <thread>

static std::mutex lock;
std::list<int> jobs;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    jobs.push_back(1);
}

static void two()
{
    jobs.push_front(2);
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
