/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* tso: holds */
/* sc: holds */
/* note: the last reference is dropped relaxed: the free is not after the other thread's last use */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int payload;
};
static struct object *shared;

static void drop(struct object *o)
{
    if (atomic_fetch_sub_explicit(&o->references, 1, memory_order_relaxed) == 1)
        free(o);
}

static void *user(void *unused)
{
    (void)unused;
    int copy = shared->payload;
    (void)copy;
    drop(shared);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    shared = malloc(sizeof *shared);
    atomic_init(&shared->references, 2);
    shared->payload = 1;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
