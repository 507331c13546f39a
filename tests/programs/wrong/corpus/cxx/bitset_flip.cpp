/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: two bits of a bitset are in one word */
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
    flags.flip(6);
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
