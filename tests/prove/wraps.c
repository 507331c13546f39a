/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of one slot that forgets an item when a counter of four bits has come round: a bug that no small test shows. */
#include <plumb.h>
#include <pthread.h>

static int slot;
static bool is_full;
static unsigned char turns;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(stack(cap = 1))

PLUMB_OP(push, int, v)
{
    pthread_mutex_lock(&lock);
    bool fits = !is_full;
    if (fits) {
        slot = v;
        turns = (turns + 1) % 16;
        is_full = turns != 0;
    }
    pthread_mutex_unlock(&lock);
    return fits ? PLUMB_OK : PLUMB_BOOL(false);
}

PLUMB_OP(pop)
{
    pthread_mutex_lock(&lock);
    plumb_value result = is_full ? PLUMB_INT(slot) : PLUMB_NONE;
    is_full = false;
    pthread_mutex_unlock(&lock);
    return result;
}
