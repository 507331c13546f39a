/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* runs: 3 */
/* flags-plumb: --compute 10 */
/* note: only memory tells its rounds apart */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static unsigned rounds;

static void *work(void *arg)
{
    (void)arg;
    atomic_load(&ready);
    while (rounds < 10000000)
        rounds++;
    assert(rounds == 10000000);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&ready, 1);
    pthread_join(t, NULL);
    return 0;
}
