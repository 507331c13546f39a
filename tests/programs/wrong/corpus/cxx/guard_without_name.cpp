/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: the guard is a temporary: it ends before the next statement */
#include <mutex>
#include <thread>

static std::mutex lock;
static int counter;

static void work()
{
    std::unique_lock<std::mutex>{lock};
    counter++;
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
}
