/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: all registers are the same in every round, but memory of the thread is not */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int tries, gave_up;

static void *wait_for(void *arg)
{
    while (!atomic_load(&flag))
        if (++tries == 5) {
            gave_up = 1;
            break;
        }
    return arg;
}

static void *set(void *arg)
{
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, wait_for, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(!gave_up);
    return 0;
}
