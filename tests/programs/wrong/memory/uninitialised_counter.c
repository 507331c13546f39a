/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: dfs */
/* note: a read-modify-write reads, too */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *count(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atomic_int *counter = malloc(sizeof *counter);
    pthread_create(&t, NULL, count, counter);
    pthread_join(t, NULL);
    free(counter);
    return 0;
}
