/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, owner;
static int counter;

static void *worker(void *unused)
{
    (void)unused;
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&owner) != mine)
        ;
    counter++;
    atomic_store(&owner, mine + 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, worker, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
