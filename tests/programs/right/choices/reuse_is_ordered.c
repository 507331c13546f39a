/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags-plumb: --reuse --leaks */
/* note: what is done to a block before it is freed happens before what is done to it after malloc */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct block {
    pthread_mutex_t lock;
    atomic_int count;
    char text[30];
};

static void *use(void *unused)
{
    for (int k = 0; k < 2; k++) {
        struct block *b = malloc(sizeof *b - (unsigned)k);
        memset(b->text, k, sizeof b->text - 1);
        pthread_mutex_init(&b->lock, NULL);
        pthread_mutex_lock(&b->lock);
        atomic_init(&b->count, 1);
        assert(atomic_fetch_add_explicit(&b->count, 1, memory_order_relaxed) == 1 && b->text[0] == k);
        pthread_mutex_unlock(&b->lock);
        free(b);
    }
    void *aligned = aligned_alloc(256, sizeof(struct block));
    assert(((uintptr_t)aligned & 255) == 0);
    free(aligned);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, use, NULL);
    free(malloc(sizeof(struct block)));
    struct block *b = calloc(1, sizeof *b);
    assert(b->text[0] == 0);
    b = realloc(b, 2 * sizeof *b);
    free(b);
    pthread_join(a, NULL);
}
