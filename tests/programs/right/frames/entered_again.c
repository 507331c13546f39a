/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: variables of several functions lie in one place, one after the other; each is gone when its thread has been joined */
#include <pthread.h>

static void *work(void *arg)
{
    *(int *)arg = 2;
    return NULL;
}

static __attribute__((noinline)) int ask(int x)
{
    pthread_t t;
    int argument = x;
    pthread_create(&t, NULL, work, &argument);
    pthread_join(t, NULL);
    return argument;
}

static __attribute__((noinline)) int ask_deeper(int x)
{
    volatile int room[16] = {x};
    return ask(room[0]);
}

int main(void)
{
    return ask(1) + ask_deeper(1) + ask(1) != 6;
}
