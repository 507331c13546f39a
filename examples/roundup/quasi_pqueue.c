/* SPDX-License-Identifier: Apache-2.0 */
/* A priority queue that serves its K + 1 most urgent items as a batch: the batch is taken out of the list when the
 * last one is used up, and goes in any order (here: the least urgent first), so that several consumers could
 * share it. An item is at most K places out of order as long as nothing more urgent comes while a batch is open.
 *
 * Bug:
 *   -DTOO_FAR      a batch has K + 2 items: the last one of them comes K + 1 places too early */
#include <plumb.h>
#include <pthread.h>

#ifndef K
#define K 2
#endif

#ifdef TOO_FAR
enum { BATCH = K + 2 };
#else
enum { BATCH = K + 1 };
#endif
enum { ITEMS = 16 };

struct item {
    int priority, value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item list[ITEMS]; /* the most urgent last */
static struct item batch[BATCH];
static int list_count, batch_count;

static void insert(struct item item)
{
    int at = list_count++;
    for (; at > 0 && list[at - 1].priority < item.priority; at--)
        list[at] = list[at - 1];
    list[at] = item;
}

static void open_batch(void)
{
    while (batch_count < BATCH && list_count > 0)
        batch[batch_count++] = list[--list_count];
}

PLUMB_OBJECT(pqueue)

PLUMB_OP(insert, int, priority, int, value)
{
    pthread_mutex_lock(&lock);
    insert((struct item){priority, value});
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(delete_min)
{
    pthread_mutex_lock(&lock);
    if (batch_count == 0)
        open_batch();
    bool empty = batch_count == 0;
    int value = empty ? 0 : batch[--batch_count].value;
    pthread_mutex_unlock(&lock);
    return empty ? PLUMB_NONE : PLUMB_INT(value);
}
