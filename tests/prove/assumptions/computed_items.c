/* SPDX-License-Identifier: Apache-2.0 */
/* Items are kept with one added to them. */
#include <plumb.h>
#include <pthread.h>

static int slots[4];
static unsigned char count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(stack(cap = 4))

PLUMB_OP(push, int, v)
{
    pthread_mutex_lock(&lock);
    bool fits = count < 4;
    if (fits)
        slots[count++] = v + 1;
    pthread_mutex_unlock(&lock);
    return fits ? PLUMB_OK : PLUMB_BOOL(false);
}

PLUMB_OP(pop)
{
    pthread_mutex_lock(&lock);
    plumb_value result = count ? PLUMB_INT(slots[--count] - 1) : PLUMB_NONE;
    pthread_mutex_unlock(&lock);
    return result;
}
