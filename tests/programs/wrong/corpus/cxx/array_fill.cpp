/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: an array is filled while another thread reads it */
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
    seen = row[2];
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
