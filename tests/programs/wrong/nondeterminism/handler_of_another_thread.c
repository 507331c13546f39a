/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
/* mode: all */
/* The signal may be raised before there is a handler: it ends the process then. */
#include <pthread.h>
#include <signal.h>

static void on_signal(int number)
{
    (void)number;
}

static void *sets(void *unused)
{
    signal(SIGUSR1, on_signal);
    return unused;
}

static void *raises(void *unused)
{
    raise(SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, sets, NULL);
    pthread_create(&threads[1], NULL, raises, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
