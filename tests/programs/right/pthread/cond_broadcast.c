/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int open_gate, through;

static void *walker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!open_gate)
        pthread_cond_wait(&go, &lock);
    through++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, walker, NULL);
    pthread_create(&b, NULL, walker, NULL);
    pthread_mutex_lock(&lock);
    open_gate = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_broadcast(&go);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(through == 2);
    return pthread_cond_destroy(&go);
}
