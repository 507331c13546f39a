/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
std::string text("a");

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    text.append("bcd");
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    text.append(40, 'x');
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
