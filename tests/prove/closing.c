/* SPDX-License-Identifier: Apache-2.0 */
/* A bag of at most two items that can be closed and opened; then nothing is added, which is answered by a text. There is no specification. RACY: the look and
 * the addition are two steps. */
#include <plumb.h>
#include <pthread.h>

static int slots[2];
static unsigned count;
static bool is_closed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT()

PLUMB_OP(add, int, v)
{
    pthread_mutex_lock(&lock);
    bool closed = is_closed;
#ifdef RACY
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    bool fits = count < 2;
    if (!closed && fits)
        slots[count++] = v;
    pthread_mutex_unlock(&lock);
    return closed ? PLUMB_STRING("closed") : PLUMB_BOOL(fits);
}

PLUMB_OP(take)
{
    plumb_value result = PLUMB_NONE;
    pthread_mutex_lock(&lock);
    if (count)
        result = PLUMB_INT(slots[--count]);
    pthread_mutex_unlock(&lock);
    return result;
}

PLUMB_OP(close)
{
    pthread_mutex_lock(&lock);
    is_closed = !is_closed;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}
