/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int size;
};
static _Atomic(struct config *) config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int seen[2];

static int get_size(void)
{
    struct config *c = atomic_load(&config);
    if (!c) {
        pthread_mutex_lock(&lock);
        c = atomic_load(&config);
        if (!c) {
            c = malloc(sizeof *c);
            c->size = 3;
            atomic_store(&config, c);
        }
        pthread_mutex_unlock(&lock);
    }
    return c->size;
}

static void *one(void *unused)
{
    (void)unused;
    seen[0] = get_size();
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    seen[1] = get_size();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
