/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* note: the count is dropped after the object may be gone */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
};

static struct object *shared;

static void put(struct object *o)
{
    if (atomic_load(&o->references) == 1)
        free(o);
    else
        atomic_fetch_sub(&o->references, 1);
}

int main(void)
{
    shared = malloc(sizeof *shared);
    atomic_init(&shared->references, 1);
    put(shared);
    atomic_fetch_add(&shared->references, 1);
    return 0;
}
