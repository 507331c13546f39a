/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: looks three times, then sleeps: before it has slept for the first time, words on its stack are what earlier executions left there */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready, other;

static void *wait(void *unused)
{
    for (;;) {
        for (int looks = 3; looks-- > 0;)
            if (ready == 1)
                return unused;
        struct timespec pause = {0, 1000};
        nanosleep(&pause, NULL);
    }
}

static void *write_elsewhere(void *unused)
{
    other = 1;
    return unused;
}

static void *set(void *unused)
{
    ready = 1;
    ready = 1;
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, wait, NULL);
    pthread_create(&threads[1], NULL, write_elsewhere, NULL);
    pthread_create(&threads[2], NULL, set, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
