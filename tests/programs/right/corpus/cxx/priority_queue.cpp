/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <mutex>
#include <queue>
#include <thread>

static std::mutex lock;
std::priority_queue<int> tasks;
bool seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    tasks.push(3);
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    seen = tasks.empty();
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
