/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: no spin: memory returns to the same state, but the other thread may look in between */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lamp, seen;

static void *watcher(void *arg)
{
    (void)arg;
    for (int i = 0; i < 20 && !atomic_load(&seen); i++)
        if (atomic_load(&lamp))
            atomic_store(&seen, 1);
    atomic_store(&seen, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, watcher, NULL);
    while (!atomic_load(&seen)) {
        atomic_store(&lamp, 1);
        atomic_store(&lamp, 0);
    }
    pthread_join(t, NULL);
    assert(atomic_load(&lamp) == 0);
    return 0;
}
