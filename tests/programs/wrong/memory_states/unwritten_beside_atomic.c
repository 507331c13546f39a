/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* flags-plumb: --uninitialized=all */
/* races: holds */
/* note: a plain read of a member that was forgotten, in the same eight bytes as an atomic one */
#include <stdatomic.h>
#include <stdlib.h>

struct slot {
    atomic_int state;
    int owner;
};

int main(void)
{
    struct slot *s = malloc(sizeof *s);
    atomic_init(&s->state, 0);
    atomic_store(&s->state, 1);
    int mine = s->owner == 7;
    free(s);
    return mine;
}
