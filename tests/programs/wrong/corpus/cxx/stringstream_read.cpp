/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: one thread reads from the stream into which the other one writes */
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex lock;
std::stringstream stream("1 2 3");
int seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    stream << "4";
}

static void two()
{
    stream >> seen;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
