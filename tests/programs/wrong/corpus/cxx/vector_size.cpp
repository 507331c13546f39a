/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: the size of a vector is read while another thread pushes */
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
std::vector<int> items{1};
size_t seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    items.push_back(2);
}

static void two()
{
    seen = items.size();
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
