/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: release on the way down, acquire before the last owner frees */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int parts[2];
};

static void put(struct object *o)
{
    if (atomic_fetch_sub_explicit(&o->references, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        assert(o->parts[0] == 1 && o->parts[1] == 1);
        free(o);
    }
}

static void *use(void *arg)
{
    struct object *o = arg;
    o->parts[1] = 1;
    put(o);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct object *o = malloc(sizeof *o);
    atomic_init(&o->references, 2);
    o->parts[0] = o->parts[1] = 0;
    pthread_create(&t, NULL, use, o);
    o->parts[0] = 1;
    put(o);
    pthread_join(t, NULL);
    return 0;
}
