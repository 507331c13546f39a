/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: long loops of the first execution are no reason to suspect one without end */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mine, yours, flag;

static void *add(void *unused)
{
    for (int i = 0; i < 1500; i++)
        atomic_fetch_add(&mine, 1);
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    for (int i = 0; i < 1500; i++)
        atomic_fetch_add(&yours, 1);
    int early = atomic_load(&flag);
    pthread_join(thread, NULL);
    assert(mine == 1500 && yours == 1500 && (early == 0 || early == 1));
    return 0;
}
