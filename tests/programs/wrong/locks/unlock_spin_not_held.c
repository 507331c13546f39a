/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated unlock-not-held */
#include <pthread.h>

static pthread_spinlock_t lock;

static void *work(void *arg)
{
    (void)arg;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
