/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated exit */
/* note: main returns 1 when the thread was late */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *arg)
{
    (void)arg;
    atomic_store(&done, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int late = !atomic_load(&done);
    pthread_join(t, NULL);
    return late;
}
