/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return|race */
/* mode: all */
/* note: a detached job gets a pointer into a frame that returns before the job runs */
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
    int parameter;
    parameter = 7;
    pthread_create(&t, NULL, job, &parameter);
}

int main(void)
{
    start();
    pthread_join(t, NULL);
    return 0;
}
