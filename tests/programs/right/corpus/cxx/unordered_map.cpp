/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <mutex>
#include <thread>
#include <unordered_map>

static std::mutex lock;
std::unordered_map<int, int> cache;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    cache[1] = 1;
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    cache.emplace(2, 2);
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
