/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: polling a plain flag, each time under the lock */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;

static int is_ready(void)
{
    pthread_mutex_lock(&lock);
    int seen = ready;
    pthread_mutex_unlock(&lock);
    return seen;
}

static void *writer(void *arg)
{
    (void)arg;
    data = 3;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    while (!is_ready())
        sched_yield();
    assert(data == 3);
    pthread_join(t, NULL);
    return 0;
}
