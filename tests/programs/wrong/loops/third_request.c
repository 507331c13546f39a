/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: a server that never ends goes wrong in its third round; whatever bounds it, that is found */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int requests, served, stop;

static void *serve(void *unused)
{
    for (;;) {
        int wanted = atomic_load(&requests);
        if (atomic_load(&served) < wanted)
            assert(atomic_fetch_add(&served, 1) < 2);
        else if (atomic_load(&stop))
            atomic_store(&served, 0);
    }
    return unused;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&requests, 1);
    return 0;
}
