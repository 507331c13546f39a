/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the lock is let go between the test and the act */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int tickets = 1;

static int left(void)
{
    pthread_mutex_lock(&lock);
    int n = tickets;
    pthread_mutex_unlock(&lock);
    return n;
}

static void *buy(void *arg)
{
    (void)arg;
    if (left() > 0) {
        pthread_mutex_lock(&lock);
        tickets--;
        assert(tickets >= 0);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, buy, NULL);
    pthread_create(&b, NULL, buy, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
