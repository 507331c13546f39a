/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* flags: -mrtm */
/* machine: x86-64 */
/* note: a transaction that does not look at the lock of those who do without one */
#include <immintrin.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *increment(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        count++;
        _xend();
        return arg;
    }
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, increment, NULL);
    increment(NULL);
    pthread_join(t, NULL);
    return 0;
}
