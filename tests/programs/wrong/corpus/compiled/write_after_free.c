/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* mode: all */
/* note: the node is marked after it was freed; the compiler sees that the mark cannot be read */
#include <stdlib.h>

struct node {
    int value, closed;
};

int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    free(n);
    n->closed = 1;
    return 0;
}
