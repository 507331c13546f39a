/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: a list is spliced while another thread looks at it */
#include <list>
#include <mutex>
#include <thread>

static std::mutex lock;
std::list<int> from{1, 2}, to;
size_t seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    to.splice(to.end(), from);
}

static void two()
{
    seen = to.empty();
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
