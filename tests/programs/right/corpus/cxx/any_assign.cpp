/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <any>
#include <mutex>
#include <thread>

static std::mutex lock;
std::any value = 1;
bool seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    value = 2.5;
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    seen = value.has_value();
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
