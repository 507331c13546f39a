/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
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
    std::lock_guard<std::mutex> guard(lock);
    done[2] = true;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
