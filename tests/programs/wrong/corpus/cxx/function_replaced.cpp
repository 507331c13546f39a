/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: a callback is called while another thread replaces it */
#include <functional>
#include <mutex>
#include <thread>

static std::mutex lock;
std::function<int(int)> rule = [](int x) { return x; };
int seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    rule = [](int x) { return x + 1; };
}

static void two()
{
    seen = rule(3);
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
