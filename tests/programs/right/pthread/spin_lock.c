/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter, skipped;

static void *add(void *arg)
{
    (void)arg;
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    int error = pthread_spin_trylock(&lock);
    assert(error == 0 || error == EBUSY);
    if (error == 0) {
        skipped--;
        pthread_spin_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2 && skipped <= 0);
    return pthread_spin_destroy(&lock);
}
