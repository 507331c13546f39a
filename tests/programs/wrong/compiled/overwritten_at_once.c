/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the first of two writes is never seen by any thread */
#include <pthread.h>

static int state;

static void *first(void *arg)
{
    state = 1;
    state = 2;
    return arg;
}

static void *second(void *arg)
{
    state = 1;
    state = 2;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
