/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: two threads join a third one */
#include <pthread.h>

static pthread_t third;

static void *work(void *arg)
{
    return arg;
}

static void *join(void *arg)
{
    pthread_join(third, NULL);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&third, NULL, work, NULL);
    pthread_create(&t, NULL, join, NULL);
    pthread_join(third, NULL);
    pthread_join(t, NULL);
    return 0;
}
