/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <memory>
#include <mutex>
#include <thread>

static std::mutex lock;
std::shared_ptr<int> shared = std::make_shared<int>(1);
int seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    shared = std::make_shared<int>(2);
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    seen = *shared;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
