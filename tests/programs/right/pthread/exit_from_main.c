/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: pthread_exit in main lets the others finish */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    count++;
    assert(count <= 2);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    assert(count == 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_detach(a);
    pthread_detach(b);
    pthread_exit(NULL);
}
