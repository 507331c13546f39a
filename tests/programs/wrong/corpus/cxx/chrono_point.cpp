/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: a time stamp is read while another thread moves it */
#include <chrono>
#include <mutex>
#include <thread>

static std::mutex lock;
std::chrono::steady_clock::time_point last;
bool seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    last += std::chrono::seconds(1);
}

static void two()
{
    seen = last.time_since_epoch().count() > 0;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
