/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <array>
#include <mutex>
#include <thread>

static std::mutex lock;
std::array<int, 4> row{};
int seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    row.fill(7);
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    seen = row[2];
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
