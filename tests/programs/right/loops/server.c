/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* flags-plumb: --loops 2 */
/* note: a server that never ends, after a start that takes more rounds than it is given: nothing is cut short that ends by itself */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, reply, ready;

static void *serve(void *unused)
{
    for (int i = 0; i < 40; i++)
        atomic_fetch_add(&ready, 1);
    for (;;)
        atomic_fetch_add(&reply, 2 * atomic_load(&request)); /* no round is like another */
    return unused;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    atomic_store(&request, 7);
    int answer = atomic_load(&reply);
    assert(answer % 2 == 0);
    return 0;
}
