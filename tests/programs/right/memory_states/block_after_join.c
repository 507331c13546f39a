/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a join orders the malloc of the ended thread */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *make(void *arg)
{
    atomic_int *a = malloc(sizeof *a);
    atomic_init(a, 0);
    *(atomic_int **)arg = a;
    return NULL;
}

int main(void)
{
    pthread_t t;
    static atomic_int *a;
    pthread_create(&t, NULL, make, &a);
    pthread_join(t, NULL);
    int found = atomic_fetch_add(a, 1);
    free(a);
    return found;
}
