/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* Random numbers, environment variables and handlers that locks and joins put in order. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void on_signal(int number)
{
    (void)number;
}

static void *work(void *name)
{
    pthread_mutex_lock(&lock);
    sum += rand() % 2;
    setenv("PLUMB_WORKER", name, 1);
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    srand(3);
    setenv("PLUMB_WORKER", "nobody", 1);
    pthread_create(&threads[0], NULL, work, "first");
    pthread_create(&threads[1], NULL, work, "second");
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    assert(getenv("PLUMB_WORKER") && sum + rand() % 2 <= 3);
    raise(SIGUSR1);
    return 0;
}
