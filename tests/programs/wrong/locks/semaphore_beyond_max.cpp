/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a binary semaphore that two threads release */
#include <semaphore>
#include <thread>

#ifndef MOST
#define MOST 1
#endif

static std::counting_semaphore<MOST> semaphore(0);

int main()
{
    std::thread other([] { semaphore.release(); });
    semaphore.release();
    semaphore.acquire();
    other.join();
}
