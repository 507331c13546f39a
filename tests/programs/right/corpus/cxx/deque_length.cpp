/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <deque>
#include <mutex>
#include <thread>

static std::mutex lock;
std::deque<int> queue{1, 2, 3};
size_t seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    queue.push_back(4);
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    seen = queue.size();
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
