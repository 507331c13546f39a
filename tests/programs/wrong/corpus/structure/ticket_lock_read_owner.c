/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|deadlock */
/* mode: all */
/* note: the ticket is taken in two steps: two threads get the same one */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, owner;
static int counter;

static void *worker(void *unused)
{
    (void)unused;
    unsigned mine = atomic_load(&next);
    atomic_store(&next, mine + 1);
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
