/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|assert|double-free */
/* mode: dfs */
/* flags-plumb: --reuse */
/* note: a stack whose nodes come from malloc. Nobody touches a freed node: reading `next` is protected by a count of
 * readers. The CAS is not: the top's address may be that of another node by then, which takes a malloc that
 * returns freed memory. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static _Atomic(struct node *) top;
static atomic_int readers;
static int popped;

static void push(void)
{
    struct node *n = malloc(sizeof *n);
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->next, n))
        ;
}

/* Without PROTECTED the readers' time ends before the CAS. */
static int pop(void)
{
    struct node *n, *next;
    int done = 0;
    do {
        atomic_fetch_add(&readers, 1);
        n = atomic_load(&top);
        next = n ? n->next : NULL;
#ifdef PROTECTED
        done = !n || atomic_compare_exchange_strong(&top, &n, next);
#endif
        atomic_fetch_sub(&readers, 1);
#ifndef PROTECTED
        done = !n || atomic_compare_exchange_strong(&top, &n, next);
#endif
    } while (!done);
    if (n && atomic_load(&readers) == 0)
        free(n);
    return n != NULL;
}

static void *pop_one(void *unused)
{
    popped = pop();
    return unused;
}

int main(void)
{
    pthread_t a;
    push();
    push();
    pthread_create(&a, NULL, pop_one, NULL);
    int count = pop() + pop();
    push();
    pthread_join(a, NULL);
    while (count < 4 && pop())
        count++;
    assert(count + popped == 3);
}
