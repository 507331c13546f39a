/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|race|double-free */
/* mode: all */
/* note: a reference is taken from an object whose last reference may just be dropped */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *table;

static void drop(struct object *o)
{
    if (atomic_fetch_sub(&o->references, 1) == 1)
        free(o);
}

static void *get(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    struct object *o = table;
    pthread_mutex_unlock(&lock);
    if (o)
        atomic_fetch_add(&o->references, 1);
    if (o)
        drop(o);
    return NULL;
}

static void *discard(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    struct object *o = table;
    table = NULL;
    pthread_mutex_unlock(&lock);
    drop(o);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    table = malloc(sizeof *table);
    atomic_init(&table->references, 1);
    pthread_create(&t[0], NULL, get, NULL);
    pthread_create(&t[1], NULL, discard, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
