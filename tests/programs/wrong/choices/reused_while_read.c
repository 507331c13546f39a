/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: dfs */
/* flags-plumb: --reuse */
/* note: the new owner of the block is not the one that the stale pointer means */
#include <pthread.h>
#include <stdlib.h>

static int *volatile stale;

static void *read_stale(void *unused)
{
    volatile int seen = *stale;
    (void)seen;
    return unused;
}

int main(void)
{
    pthread_t a;
    stale = malloc(sizeof *stale);
    *stale = 1;
    free(stale);
    int *volatile fresh = malloc(sizeof *fresh);
    pthread_create(&a, NULL, read_stale, NULL);
    *fresh = 2;
    pthread_join(a, NULL);
    free(fresh);
}
