/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: the length of a deque is read while another thread pushes */
#include <deque>
#include <mutex>
#include <thread>

static std::mutex lock;
std::deque<int> queue{1, 2, 3};
size_t seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    queue.push_back(4);
}

static void two()
{
    seen = queue.size();
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
