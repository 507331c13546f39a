/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* command: auto */
/* flags-plumb: --size 2x2 */
/* note: 0 and the greatest value of an unsigned type are elements as others; what is less than 0 is none */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char items[32];
static int count;

PLUMB_OBJECT(stack)
PLUMB_OP(push, unsigned char, v)
{
    pthread_mutex_lock(&lock);
    items[count++] = v;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}
PLUMB_OP(pop)
{
    pthread_mutex_lock(&lock);
    bool any = count;
    unsigned v = any ? items[--count] : 0;
    pthread_mutex_unlock(&lock);
    return any ? PLUMB_INT(v) : PLUMB_NONE;
}
