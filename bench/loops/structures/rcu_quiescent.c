/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: every reader copies the epoch between two uses; the writer waits until all copies are new */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { READERS = 2 };
#define OFFLINE (~0u)

static atomic_uint epoch = 1;
static atomic_uint seen[READERS];
static _Atomic(int *) current;

static void quiescent(int self)
{
    atomic_store(&seen[self], atomic_load(&epoch));
}

static void *reader(void *arg)
{
    int self = (int)(long)arg;
    for (int i = 0; i < 2; i++) {
        int *p = atomic_load(&current);
        assert(*p >= 1);
        quiescent(self);
    }
    atomic_store(&seen[self], OFFLINE);
    return NULL;
}

static void synchronize(void)
{
    unsigned now = atomic_fetch_add(&epoch, 1) + 1;
    for (int i = 0; i < READERS; i++)
        while (atomic_load(&seen[i]) < now)
            ;
}

static int *make(int v)
{
    int *p = malloc(sizeof *p);
    *p = v;
    return p;
}

int main(void)
{
    pthread_t threads[READERS];
    atomic_init(&current, make(1));
    for (long i = 0; i < READERS; i++)
        pthread_create(&threads[i], NULL, reader, (void *)i);
    int *old = atomic_exchange(&current, make(2));
    synchronize();
    free(old);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    free(atomic_load(&current));
    return 0;
}
