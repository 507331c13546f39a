/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated double-free */
/* mode: dfs */
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
    char *p = malloc(16);
    pthread_create(&t, NULL, work, p);
    pthread_join(t, NULL);
    free(p);
    return 0;
}
