/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: dfs */
/* note: the thread is not joined when the function with the attribute runs */
#include <pthread.h>

static int state;

static void *work(void *arg)
{
    state = 1;
    return arg;
}

__attribute__((destructor)) static void finish(void)
{
    state = 2;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_detach(t);
    return 0;
}
