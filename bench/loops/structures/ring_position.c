/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: assert */
/* note: a thread goes round a ring of seven places until it is told to stop, and another sees where it is; wrong: it expects fewer */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
enum { PLACES = 6 };
#else
enum { PLACES = 7 };
#endif

static atomic_int place, stop;

static void *run(void *arg)
{
    do {
        atomic_store(&place, (atomic_load(&place) + 1) % 7);
    } while (!atomic_load(&stop));
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    int now = atomic_load(&place);
    atomic_store(&stop, 1);
    pthread_join(t, NULL);
    assert(now < PLACES);
    return 0;
}
