/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* note: a reference count is increased that was never set: malloc is not calloc */
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
};

int main(void)
{
    struct object *o = malloc(sizeof *o);
    atomic_fetch_add(&o->references, 1);
    if (atomic_fetch_sub(&o->references, 1) == 1)
        free(o);
    return 0;
}
