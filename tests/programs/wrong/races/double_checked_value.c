/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --races=allow */
/* sc: holds */
/* tso: holds */
/* note: the flag says that the value is there, but nothing orders the two */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;

static void *get(void *arg)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            value = 7;
            ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(value == 7);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, get, NULL);
    pthread_create(&b, NULL, get, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
