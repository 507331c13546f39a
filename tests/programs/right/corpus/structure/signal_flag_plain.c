/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
int rounds;

static void *worker(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2 && !stop; i++)
        rounds++;
    return NULL;
}

static void *controller(void *unused)
{
    (void)unused;
    stop = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, controller, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
