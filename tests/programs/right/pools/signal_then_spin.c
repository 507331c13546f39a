/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the thread that signals one of two sleepers waits in a loop afterwards */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;
static atomic_int taken;

static void *take(void *arg)
{
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&changed, &lock);
    items--;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&taken, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, NULL);
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        while (atomic_load(&taken) < i)
            ;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
