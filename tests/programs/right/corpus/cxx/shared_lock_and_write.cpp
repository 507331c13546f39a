/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int hits;

static void lookup()
{
    std::unique_lock<std::shared_mutex> guard(lock);
    hits++;
}

int main()
{
    std::thread a(lookup), b(lookup);
    a.join();
    b.join();
}
