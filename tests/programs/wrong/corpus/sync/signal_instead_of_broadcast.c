/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* note: two consumers wait and one signal is sent for both */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int closed;

static void *waiter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!closed)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *closer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, waiter, NULL);
    pthread_create(&t[2], NULL, closer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
