/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* note: the value stored is another one in every process: the same schedule has other events in a new one */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/auxv.h>

static atomic_long drawn, other;

static void *work(void *unused)
{
    (void)unused;
    assert(atomic_load(&other) == 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    atomic_store(&drawn, *(const long *)getauxval(AT_RANDOM));
    pthread_create(&thread, NULL, work, NULL);
    atomic_store(&other, 1);
    pthread_join(thread, NULL);
    return atomic_load(&drawn) == 0;
}
