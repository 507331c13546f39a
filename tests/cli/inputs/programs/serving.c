/* SPDX-License-Identifier: Apache-2.0 */
/* A server that never ends; -DWRONG: its third round goes wrong; -DSTUCK: it waits for a request that never comes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, reply, rounds, never;

static void *serve(void *unused)
{
    for (int served = 0;; served++) { /* no two rounds are the same */
#ifdef STUCK
        while (!atomic_load(&never) || !atomic_load(&request)) {
            /* waits */
        }
#endif
        int wanted = atomic_load(&request);
        atomic_store(&reply, wanted + 10 + served);
#ifdef WRONG
        assert(atomic_fetch_add(&rounds, 1) < 2);
#endif
    }
    return unused;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    atomic_store(&request, 5);
#ifdef STUCK
    pthread_join(server, NULL);
#endif
    assert(atomic_load(&reply) != 2);
}
