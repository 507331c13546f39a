/* SPDX-License-Identifier: Apache-2.0 */
/* Three errors. The one of `second` needs what `first` wrote just before its own error. With -DENDS a thread ends where
 * its error was: then there are as many executions. With -DAT_ONCE that of `first` comes always. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef ENDS
#define FAILS(statement) return unused
#else
#define FAILS(statement) statement
#endif

static atomic_int x, y;
int plain;

static void *first(void *unused)
{
    atomic_store(&x, 1);
#ifndef AT_ONCE
    if (atomic_load(&y) == 0)
#endif
        FAILS(assert(!"y was written"));
    return unused;
}

static void *second(void *unused)
{
    int *volatile block = malloc(sizeof *block);
    free(block);
    if (atomic_load(&x) == 1 && atomic_load(&y) == 0)
        FAILS(free(block));
    return unused;
}

static void *third(void *unused)
{
    atomic_store(&y, 1);
    if (atomic_load(&x) == 0)
        FAILS(plain = 1);
    return unused;
}

int main(void)
{
    void *(*const bodies[])(void *) = {first, second, third};
    pthread_t threads[3];
    for (int k = 0; k < 3; k++)
        pthread_create(&threads[k], NULL, bodies[k], NULL);
#ifndef ENDS
    plain = 2;
#endif
    for (int k = 0; k < 3; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
