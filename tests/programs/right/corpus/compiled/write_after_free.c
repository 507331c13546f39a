/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <stdlib.h>

struct node {
    int value, closed;
};

int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->closed = 1;
    free(n);
    return 0;
}
