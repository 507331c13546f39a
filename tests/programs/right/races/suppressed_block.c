/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --suppress 'race:variable entry.hits' */
/* note: memory from malloc goes by the name of its type */
#include <pthread.h>
#include <stdlib.h>

struct entry {
    long key, hits;
};

static void *use(void *arg)
{
    struct entry *e = arg;
    e->hits = e->key;
    return NULL;
}

int main(void)
{
    pthread_t a;
    struct entry *e = malloc(sizeof *e);
    e->key = 1;
    e->hits = 0;
    pthread_create(&a, NULL, use, e);
    use(e);
    pthread_join(a, NULL);
    free(e);
    return 0;
}
