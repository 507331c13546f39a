/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: the destructors of thread-local objects count without a lock */
#include <atomic>
#include <thread>

static int ended;
struct guard {
    ~guard()
    {
        ended++;
    }
    int used = 0;
};
static thread_local guard mine;

static void work()
{
    mine.used = 1;
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
}
