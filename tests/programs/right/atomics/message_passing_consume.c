/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: consume counts as acquire */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
    int value;
};

static _Atomic(struct box *) shared;

static void *writer(void *arg)
{
    struct box *b = arg;
    b->value = 5;
    atomic_store_explicit(&shared, b, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct box *mine = malloc(sizeof *mine);
    pthread_create(&t, NULL, writer, mine);
    struct box *seen = atomic_load_explicit(&shared, memory_order_consume);
    if (seen)
        assert(seen->value == 5);
    pthread_join(t, NULL);
    free(mine);
    return 0;
}
