/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark of the queue with two locks (Michael and Scott), which records itself.
 *
 *   cc -O2 two_lock_queue.c -lplumb-record -pthread && ./a.out run.bin && plumb monitor run.bin
 *   ./a.out - | plumb monitor --spec queue -
 *   ./a.out                                  (records nothing, unless the variable PLUMB_RECORD is set)
 *
 * With -DBROKEN removals look for the first node before they have the lock: two of them can return the same element. */
#include <plumb/record.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 4 };

struct node {
    long value;
    struct node *_Atomic next;
};

struct queue {
    pthread_mutex_t head_lock, tail_lock;
    struct node *head, *tail; /* the first node has no value any more */
    struct node *nodes;       /* none is used twice */
    atomic_size_t used;
};

static long operations = 100000; /* of each thread */
static struct queue queue = {.head_lock = PTHREAD_MUTEX_INITIALIZER, .tail_lock = PTHREAD_MUTEX_INITIALIZER};

static struct node *new_node(long value)
{
    struct node *node = &queue.nodes[atomic_fetch_add(&queue.used, 1)];
    node->value = value;
    return node;
}

static void enqueue(long value)
{
    struct node *node = new_node(value);
    pthread_mutex_lock(&queue.tail_lock);
    atomic_store(&queue.tail->next, node);
    queue.tail = node;
    pthread_mutex_unlock(&queue.tail_lock);
}

static bool dequeue(long *value)
{
#ifdef BROKEN
    struct node *first = atomic_load(&queue.head->next);
    sched_yield();
    pthread_mutex_lock(&queue.head_lock);
#else
    pthread_mutex_lock(&queue.head_lock);
    struct node *first = atomic_load(&queue.head->next);
#endif
    if (first) {
        *value = first->value;
        queue.head = first;
    }
    pthread_mutex_unlock(&queue.head_lock);
    return first != NULL;
}

static void *work(void *argument)
{
    long thread = (long)(size_t)argument, value;
    unsigned seed = (unsigned)thread;
    for (long i = 0; i < operations; i++) {
        if (rand_r(&seed) % 2) {
            value = thread * operations + i;
            plumb_call("queue", "enq", value);
            enqueue(value);
            plumb_return(plumb_ok());
        } else {
            plumb_call("queue", "deq");
            bool found = dequeue(&value);
            plumb_return(plumb_maybe(found, value));
        }
    }
    return NULL;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int count, char **words)
{
    pthread_t threads[THREADS];
    if (count > 2)
        operations = atol(words[2]);
    queue.nodes = calloc(THREADS * (size_t)operations + 1, sizeof *queue.nodes);
    queue.head = queue.tail = new_node(0);
    if (plumb_record_open(count > 1 ? words[1] : NULL) != 0) {
        perror("cannot record");
        return 1;
    }
    double begin = seconds();
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(size_t)i);
    for (long i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    double end = seconds();
    if (plumb_record_close() != 0)
        perror("the recording is not complete");
    printf("%.0f operations a second\n", THREADS * (double)operations / (end - begin));
    free(queue.nodes);
    return 0;
}
