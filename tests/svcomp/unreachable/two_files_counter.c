/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int counter_add(void)
{
    pthread_mutex_lock(&lock);
    int now = ++count;
    pthread_mutex_unlock(&lock);
    return now;
}

int counter_value(void)
{
    return count;
}
