/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: two elements of a vector<bool> are in one word */
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
std::vector<bool> done(8);

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    done[1] = true;
}

static void two()
{
    done[2] = true;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
