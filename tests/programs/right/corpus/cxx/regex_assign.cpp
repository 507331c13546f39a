/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <mutex>
#include <regex>
#include <thread>

static std::mutex lock;
std::regex pattern("a");
bool seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    pattern.assign("b");
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    seen = std::regex_search("ab", pattern);
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
