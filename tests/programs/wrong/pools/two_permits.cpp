/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: a semaphore with two permits is no lock */
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> lock(2);
static int counter;

static void count()
{
    lock.acquire();
    counter++;
    lock.release();
}

int main()
{
    std::thread a(count), b(count);
    a.join();
    b.join();
}
