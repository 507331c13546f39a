/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a flag that is one */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static int rounds;

static void *first(void *arg)
{
    stop = 1;
    return arg;
}

static void *second(void *arg)
{
    for (rounds = 0; !stop && rounds < 5; rounds++)
        ;
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
