/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <memory_resource>
#include <mutex>
#include <thread>
#include <vector>

static std::pmr::synchronized_pool_resource shared;
static std::pmr::monotonic_buffer_resource buffer;
static std::pmr::unsynchronized_pool_resource pool;
static std::mutex lock;

static void work()
{
    std::pmr::vector<int> mine(&shared);
    mine.push_back(1);
    std::lock_guard<std::mutex> guard(lock);
    std::pmr::vector<int> a(3, &buffer), b(5, &pool);
    a.push_back(b.back() + mine.back());
}

int main()
{
    std::thread other(work);
    work();
    other.join();
}
