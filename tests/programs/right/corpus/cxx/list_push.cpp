/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
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
    std::lock_guard<std::mutex> guard(lock);
    jobs.push_front(2);
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
