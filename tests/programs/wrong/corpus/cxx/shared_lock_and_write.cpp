/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: a cache is filled under a shared lock */
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int hits;

static void lookup()
{
    std::shared_lock<std::shared_mutex> guard(lock);
    hits++;
}

int main()
{
    std::thread a(lookup), b(lookup);
    a.join();
    b.join();
}
