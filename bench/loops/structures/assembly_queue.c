/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: assert */
/* note: a linked queue whose exchanges are inline assembly; the consumer waits for a link with patience, and then sleeps in poll */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
static struct node head, *tail = &head;

#if defined(__x86_64__)
static struct node *exchange(struct node **at, struct node *n)
{
    __asm__ volatile("xchgq %0, %1" : "+r"(n), "+m"(*at) : : "memory");
    return n;
}

static struct node *compare_exchange(struct node **at, struct node *old, struct node *n)
{
    __asm__ volatile("lock; cmpxchgq %2, %1" : "+a"(old), "+m"(*at) : "r"(n) : "memory");
    return old;
}
#else
static struct node *exchange(struct node **at, struct node *n)
{
    return __atomic_exchange_n(at, n, __ATOMIC_SEQ_CST);
}

static struct node *compare_exchange(struct node **at, struct node *old, struct node *n)
{
    __atomic_compare_exchange_n(at, &old, n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return old;
}
#endif

static void put(int value)
{
    struct node *n = calloc(1, sizeof *n);
    n->value = value;
    struct node *before = exchange(&tail, n);
    __atomic_store_n(&before->next, n, __ATOMIC_RELEASE);
}

static struct node *wait_for_next(struct node *n)
{
    struct node *next;
    int attempts = 0;
    while (!(next = __atomic_load_n(&n->next, __ATOMIC_ACQUIRE)))
        if (++attempts >= 10) {
            poll(NULL, 0, 10);
            attempts = 0;
        }
    return next;
}

static struct node *take(void)
{
    if (!__atomic_load_n(&head.next, __ATOMIC_ACQUIRE) && __atomic_load_n(&tail, __ATOMIC_ACQUIRE) == &head)
        return NULL;
    struct node *first = wait_for_next(&head), *next = __atomic_load_n(&first->next, __ATOMIC_ACQUIRE);
    if (!next) {
        __atomic_store_n(&head.next, NULL, __ATOMIC_RELAXED);
        if (compare_exchange(&tail, first, &head) == first)
            return first;
#ifdef WRONG
        return first; /* and the one behind it is lost */
#endif
        next = wait_for_next(first);
    }
    __atomic_store_n(&head.next, next, __ATOMIC_RELAXED);
    return first;
}

static void *produce(void *unused)
{
    put(2);
    return unused;
}

static void *consume(void *unused)
{
    struct node *n = take();
    assert(n && n->value == 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    (void)take(); /* nothing is there yet */
    put(1);
    pthread_create(&t[0], NULL, produce, NULL);
    pthread_create(&t[1], NULL, consume, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(__atomic_load_n(&head.next, __ATOMIC_ACQUIRE) != NULL);
}
