/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
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
    for (struct node *n = head, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    return 0;
}
