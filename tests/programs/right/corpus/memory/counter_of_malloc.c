/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
};

int main(void)
{
    struct object *o = calloc(1, sizeof *o);
    atomic_fetch_add(&o->references, 1);
    if (atomic_fetch_sub(&o->references, 1) == 1)
        free(o);
    return 0;
}
