/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use */
/* note: destroyed while somebody waits */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int waiting;

static void *waiter(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    waiting = 1;
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&lock);
        seen = waiting;
        pthread_mutex_unlock(&lock);
    }
    pthread_cond_destroy(&changed);
    return 0;
}
