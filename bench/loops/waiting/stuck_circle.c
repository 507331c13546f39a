/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated */
/* error: deadlock|livelock|endless */
/* note: each of two threads waits for what the other one does after its own wait */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int first_done, second_done;

static void *first(void *arg)
{
    int spins = 0;
    while (!atomic_load(&second_done))
        if (++spins % 64 == 0)
            sched_yield();
    atomic_store(&first_done, 1);
    return arg;
}

static void *second(void *arg)
{
    while (!atomic_load(&first_done))
        sched_yield();
    atomic_store(&second_done, 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
