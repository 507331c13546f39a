/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: no spin: the same load instruction, another node each time */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
};

static struct node last = {NULL}, third = {&last}, second = {&third}, first = {&second};

static void *walk(void *arg)
{
    int length = 0;
    (void)arg;
    for (struct node *n = &first; n; n = atomic_load(&n->next))
        length++;
    assert(length == 4);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, walk, NULL);
    pthread_join(t, NULL);
    return 0;
}
