/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return|race */
/* mode: dfs */
/* note: the function that started the thread returns while the thread reads its argument */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_t t;

static void *work(void *arg)
{
    return *(int *)arg ? arg : NULL;
}

static __attribute__((noinline)) void start(void)
{
    int argument = 1;
    pthread_create(&t, NULL, work, &argument);
}

int main(void)
{
    start();
    pthread_join(t, NULL);
    return 0;
}
