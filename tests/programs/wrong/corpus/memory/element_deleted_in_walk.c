/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* mode: all */
/* note: the list is freed by reading the next pointer of a node that is gone */
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    for (struct node *n = head; n; n = n->next) {
        free(n);
    }
    return 0;
}
