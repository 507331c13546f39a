/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int readers;

static void *reader(void *unused)
{
    (void)unused;
    atomic_fetch_add(&readers, 1);
    assert(atomic_load(&readers) > 0);
    atomic_fetch_sub(&readers, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, reader, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
