/* SPDX-License-Identifier: Apache-2.0 */
/* Each of eleven threads, or READERS, reads the old value or the new one: 2048 executions. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRONG
#define WRONG -1
#endif
#ifndef READERS
#define READERS 11
#endif
static atomic_int value;

static void *read_it(void *number)
{
    assert(atomic_load(&value) == 1 || (long)number != WRONG);
    return 0;
}

int main(void)
{
    pthread_t t[READERS];
    for (long i = 0; i < READERS; i++)
        pthread_create(&t[i], 0, read_it, (void *)i);
    atomic_store(&value, 1);
    for (int i = 0; i < READERS; i++)
        pthread_join(t[i], 0);
}
