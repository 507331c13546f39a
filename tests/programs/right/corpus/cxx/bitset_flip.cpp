/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <bitset>
#include <mutex>
#include <thread>

static std::mutex lock;
std::bitset<8> flags;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    flags.set(1);
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    flags.flip(6);
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
