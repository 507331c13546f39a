/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: plain and atomic reads of the same place do not race */
#include <assert.h>
#include <pthread.h>

static int value = 4;

static void *reader(void *arg)
{
    (void)arg;
    assert(__atomic_load_n(&value, __ATOMIC_RELAXED) == 4);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    assert(value == 4);
    pthread_join(t, 0);
    value = 5;
    assert(__atomic_load_n(&value, __ATOMIC_RELAXED) == 5);
    return 0;
}
