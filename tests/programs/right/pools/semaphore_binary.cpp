/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: ping and pong, and a third thread that uses the semaphore as a lock */
#include <cassert>
#include <semaphore>
#include <thread>

static std::binary_semaphore ping{0}, pong{0}, lock{1};
static int turns, counted;

static void count()
{
    lock.acquire();
    counted++;
    lock.release();
}

int main()
{
    std::thread a([] {
        ping.acquire();
        turns++;
        pong.release();
        count();
    });
    std::thread b(count);
    ping.release();
    pong.acquire();
    assert(turns == 1);
    a.join();
    b.join();
    assert(counted == 2);
}
