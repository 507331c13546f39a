/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static pthread_t t;
int seen;

static void *job(void *arg)
{
    seen = *(int *)arg;
    return NULL;
}

static __attribute__((noinline)) void start(void)
{
    static int parameter;
    parameter = 7;
    pthread_create(&t, NULL, job, &parameter);
}

int main(void)
{
    start();
    pthread_join(t, NULL);
    return 0;
}
