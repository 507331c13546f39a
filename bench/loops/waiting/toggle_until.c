/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a signal is switched on and off until it was acknowledged; an observer sees zero or one */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lamp, stop;

static void *blink(void *arg)
{
    do {
        atomic_store(&lamp, 1);
        atomic_store(&lamp, 0);
    } while (!atomic_load(&stop));
    return arg;
}

int main(void)
{
    pthread_t blinker;
    pthread_create(&blinker, NULL, blink, NULL);
    int first = atomic_load(&lamp), second = atomic_load(&lamp);
    assert(first >= 0 && first <= 1 && second >= 0 && second <= 1);
    atomic_store(&stop, 1);
    pthread_join(blinker, NULL);
    assert(atomic_load(&lamp) == 0);
    return 0;
}
