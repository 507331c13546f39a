/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: one lock per end; the link between the ends is atomic */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};

static struct node *head, *tail;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *node_new(int value)
{
    struct node *n = malloc(sizeof *n);
    atomic_init(&n->next, NULL);
    n->value = value;
    return n;
}

static void *producer(void *arg)
{
    struct node *n = node_new(*(int *)arg);
    pthread_mutex_lock(&tail_lock);
    atomic_store_explicit(&tail->next, n, memory_order_release);
    tail = n;
    pthread_mutex_unlock(&tail_lock);
    return NULL;
}

static int dequeue(void)
{
    pthread_mutex_lock(&head_lock);
    struct node *old = head, *next = atomic_load_explicit(&old->next, memory_order_acquire);
    int value = next ? next->value : 0;
    if (next)
        head = next;
    pthread_mutex_unlock(&head_lock);
    if (next)
        free(old);
    return value;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    head = tail = node_new(0);
    pthread_create(&a, NULL, producer, &one);
    pthread_create(&b, NULL, producer, &two);
    int sum = dequeue();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int v; (v = dequeue());)
        sum += v;
    assert(sum == 3);
    free(head);
    return 0;
}
