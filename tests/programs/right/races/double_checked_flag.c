/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: the flag is looked at without the lock, what it stands for only with it */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, made, value;

static void *get(void *arg)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            made++;
            value = 7;
            ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    assert(value == 7 && made == 1);
    pthread_mutex_unlock(&lock);
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
