/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: dfs */
/* flags-plumb: --uninitialized=all */
/* races: holds */
/* note: a plain read of a member that the other thread forgot */
#include <pthread.h>
#include <stdlib.h>

struct node {
    long value;
    struct node *next;
};

static void *make(void *arg)
{
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    *(struct node **)arg = n;
    return NULL;
}

static struct node *made;

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, make, &made);
    pthread_join(t, NULL);
    int ended = made->next == NULL;
    free(made);
    return ended * 0;
}
