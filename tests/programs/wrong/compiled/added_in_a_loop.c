/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: a loop that could add in a register */
#include <pthread.h>

static int state;

static void *first(void *arg)
{
    for (int i = 0; i < 3; i++)
        state += i;
    return arg;
}

static void *second(void *arg)
{
    for (int i = 0; i < 3; i++)
        state += i;
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
