/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long values[5];
};

static struct node *_Atomic top;

static void *change(void *arg)
{
#ifdef NEVER_WRITTEN
    atomic_store(&top, malloc(sizeof(struct node)));
#else
    atomic_store(&top, NULL);
#endif
    return arg;
}

static void *look(void *arg)
{
#ifdef NEVER_WRITTEN
    struct node *n = atomic_load(&top);
    return n ? (void *)n->next->values[4] : arg;
#else
    return atomic_load(&top) ? (void *)atomic_load(&top)->values[4] : arg;
#endif
}

int main(void)
{
    static struct node first;
    pthread_t threads[2];
#ifndef NEVER_WRITTEN
    top = &first;
#endif
    pthread_create(&threads[0], NULL, change, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return first.next != NULL;
}
