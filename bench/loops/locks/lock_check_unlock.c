/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock|livelock|endless */
/* note: two waiters poll a flag under its mutex; wrong: it is set before they start, and taken back */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static bool ready;
static int value;

static void *wait_for_value(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (ready)
            break;
        pthread_mutex_unlock(&m);
    }
    assert(value == 3);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait_for_value, NULL);
    pthread_create(&two, NULL, wait_for_value, NULL);
    pthread_mutex_lock(&m);
    value = 3;
    ready = true;
    pthread_mutex_unlock(&m);
#ifdef WRONG
    pthread_mutex_lock(&m);
    ready = false;
    pthread_mutex_unlock(&m);
#endif
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
