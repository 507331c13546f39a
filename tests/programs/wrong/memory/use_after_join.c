/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* mode: dfs */
/* note: the thread frees its argument, the creator writes to it */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
    free(arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&t, NULL, work, p);
    pthread_join(t, NULL);
    *p = 2;
    return 0;
}
