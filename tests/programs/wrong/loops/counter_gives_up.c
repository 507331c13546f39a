/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: a counter that only goes up decides in the end: patience is bounded */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int gave_up;

static void *wait_for(void *arg)
{
    for (int tries = 0; !atomic_load(&flag);)
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
