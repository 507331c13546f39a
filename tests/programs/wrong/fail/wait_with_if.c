/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: woken, but another consumer was faster: `if` where `while` belongs */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int items;

static void *consumer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_wait(&changed, &lock);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, consumer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
