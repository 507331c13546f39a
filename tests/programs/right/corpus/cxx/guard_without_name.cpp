/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <mutex>
#include <thread>

static std::mutex lock;
static int counter;

static void work()
{
    std::unique_lock<std::mutex> guard(lock);
    counter++;
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
}
