/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <mutex>
#include <sstream>
#include <thread>

static std::mutex lock;
std::ostringstream out;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    out << "a" << 1;
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    out << "b" << 2.5;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
