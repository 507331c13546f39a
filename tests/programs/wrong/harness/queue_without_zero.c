/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* command: auto */
/* flags-plumb: --size 2x2 */
/* note: a place with 0 counts as empty, so that the element 0 is lost */
#include <plumb.h>
#include <pthread.h>

enum { ROOM = 16 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[ROOM], head, tail;

PLUMB_OBJECT(queue)
PLUMB_OP(enq, int, v)
{
    pthread_mutex_lock(&lock);
    items[tail++ % ROOM] = v;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    pthread_mutex_lock(&lock);
    int v = items[head % ROOM];
    items[head % ROOM] = 0;
    head += v != 0;
    pthread_mutex_unlock(&lock);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}
