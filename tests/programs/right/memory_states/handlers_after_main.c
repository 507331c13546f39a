/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: main has returned; a handler starts a thread that uses the handler's stack and a thread-local variable of main's thread */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int local;
static int *shown;

static void *work(void *arg)
{
    *(int *)arg = 1;
    *shown = 2;
    return NULL;
}

static void handler(void)
{
    pthread_t t;
    int result = 0;
    shown = &local;
    pthread_create(&t, NULL, work, &result);
    pthread_join(t, NULL);
    assert(result == 1 && local == 2);
}

int main(void)
{
    int large[1000];
    for (int k = 0; k < 1000; k++)
        large[k] = k;
    return atexit(handler) + large[0];
}
