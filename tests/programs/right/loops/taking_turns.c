/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* note: two threads that take turns for ever: there is no execution that ends */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turn;

static void *work(void *arg)
{
    for (int me = arg != NULL;; atomic_store(&turn, !me))
        while (atomic_load(&turn) != me)
            continue;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, &second);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
