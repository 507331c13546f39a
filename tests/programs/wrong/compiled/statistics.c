/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: a counter that is not looked at */
#include <pthread.h>

static int state;

static void *first(void *arg)
{
    state++;
    return arg;
}

static void *second(void *arg)
{
    state++;
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
