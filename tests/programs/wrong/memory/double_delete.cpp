/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated double-free */
/* note: two locked queues hand out the same raw pointer */
#include <mutex>
#include <thread>

static std::mutex lock;
static int *shared = new int(4);

static void finish()
{
    std::lock_guard guard(lock);
    delete shared;
}

int main()
{
    std::thread a(finish), b(finish);
    a.join();
    b.join();
}
