/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: use-after-free|race */
/* note: the writer waits until no hazard is what it retired; wrong: the reader does not look twice */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { READERS = 2 };

static _Atomic(int *) hazards[READERS];
static _Atomic(int *) current;

static int *protect(int self)
{
    for (;;) {
        int *p = atomic_load(&current);
        atomic_store(&hazards[self], p);
#ifndef WRONG
        if (p != atomic_load(&current))
            continue;
#endif
        return p;
    }
}

static void *reader(void *arg)
{
    int self = (int)(long)arg;
    int *p = protect(self);
    assert(*p == 1 || *p == 2);
    atomic_store(&hazards[self], NULL);
    return NULL;
}

static void retire(int *p)
{
    for (int i = 0; i < READERS; i++)
        while (atomic_load(&hazards[i]) == p)
            sched_yield();
    free(p);
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
    retire(atomic_exchange(&current, make(2)));
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    free(atomic_load(&current));
    return 0;
}
