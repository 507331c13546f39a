/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: when the loop ends depends on all values that were found, not on how many there were */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *look(void *arg)
{
    int seen = 0;
    do
        seen |= atomic_load(&x);
    while (seen != 3);
    assert(atomic_load(&x) == 3);
    return arg;
}

int main(void)
{
    pthread_t reader;
    pthread_create(&reader, NULL, look, NULL);
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    atomic_store(&x, 3);
    pthread_join(reader, NULL);
    return 0;
}
