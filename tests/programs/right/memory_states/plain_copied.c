/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags-plumb: --uninitialized=all */
/* note: copies of blocks that are written in part, with padding; the filling itself may be written */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct part {
    char letter; /* and padding */
    long number;
    char rest[40];
};

struct slot {
    atomic_int state;
    unsigned owner;
};

int main(void)
{
    struct part *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c = calloc(1, sizeof *c);
    long *n = malloc(2 * sizeof *n);
    atomic_long *m = malloc(sizeof *m);
    struct slot *s = malloc(sizeof *s);
    atomic_store(&s->state, 1);
    s->owner = 0xa5a5a5a5;
    a->letter = 'x';
    a->number = 2;
    memcpy(b, a, sizeof *a);
    *a = *b;
    n[0] = (long)0xa5a5a5a5a5a5a5a5;
    n = realloc(n, 100);
    memset(n + 1, 0xa5, sizeof *n);
    atomic_init(m, (long)0xa5a5a5a5a5a5a5a5);
    int wrong = n[0] != n[1] || b->letter != 'x' || a->number != 2 || c->number || *(long *)m != n[0] ||
                s->owner != (unsigned)n[0];
    free(a), free(b), free(c), free(n), free(m), free(s);
    return wrong;
}
