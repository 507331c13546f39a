/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* known-gcc: holds */
/* named-gcc: structures by value */
/* mode: all */
/* named: structures that calls return at */
/* note: now() is stored into a shared time stamp without the lock */
#include <chrono>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::chrono::steady_clock::time_point last;
bool seen;

static void one()
{
    last = std::chrono::steady_clock::now();
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    seen = last.time_since_epoch().count() > 0;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
