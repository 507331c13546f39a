/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return|race */
/* mode: all */
/* note: what the thread reads was on the stack of start(); join() has another variable there */
#include <pthread.h>

static pthread_t t;

static void *work(void *arg)
{
    *(int *)arg = 2;
    return NULL;
}

static __attribute__((noinline)) void start(void)
{
    int argument = 1;
    pthread_create(&t, NULL, work, &argument);
}

static __attribute__((noinline)) void join(void)
{
    volatile int room[64];
    for (int i = 0; i < 64; i++)
        room[i] = i;
    pthread_join(t, NULL);
}

int main(void)
{
    start();
    join();
    return 0;
}
