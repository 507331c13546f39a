/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* runs: 3 */
/* flags-plumb: --compute 10 */
/* note: some tenths of a second, long enough for its instructions to be looked at one by one: the results stay */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *work(void *arg)
{
    (void)arg;
    atomic_load(&ready);
    unsigned long sum = 0;
    double halves = 0;
    for (unsigned i = 0; i < 200000000; i++) {
        sum += i & 3;
        halves += 0.5;
    }
    assert(sum == 300000000 && halves == 100000000);
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
