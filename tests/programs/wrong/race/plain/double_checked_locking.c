/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the fast path reads a plain pointer without the lock */
#include <pthread.h>
#include <stdlib.h>

int *instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *get(void)
{
    if (!instance) {
        pthread_mutex_lock(&lock);
        if (!instance) {
            int *p = malloc(sizeof *p);
            *p = 11;
            instance = p;
        }
        pthread_mutex_unlock(&lock);
    }
    return instance;
}

static void *use(void *arg)
{
    (void)arg;
    return get();
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    get();
    pthread_join(t, NULL);
    free(instance);
    return 0;
}
