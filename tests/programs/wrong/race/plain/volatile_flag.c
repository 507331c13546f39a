/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: volatile is not atomic */
#include <pthread.h>

static volatile int stop;
static volatile int rounds;

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3 && !stop; i++)
        rounds = i;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    stop = 1;
    pthread_join(t, NULL);
    return 0;
}
