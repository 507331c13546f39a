/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <memory_resource>
#include <thread>

static std::pmr::unsynchronized_pool_resource pool;

int main()
{
    std::thread other([] { pool.deallocate(pool.allocate(16), 16); });
    pool.deallocate(pool.allocate(16), 16);
    other.join();
}
