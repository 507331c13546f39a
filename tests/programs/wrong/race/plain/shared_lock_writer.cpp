/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
int cache;

static void refresh()
{
    std::shared_lock guard(lock);
    cache++;
}

int main()
{
    std::thread a(refresh), b(refresh);
    a.join();
    b.join();
}
