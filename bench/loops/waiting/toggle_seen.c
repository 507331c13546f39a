/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated */
/* error: assert */
/* note: an observer can see on, off, on, off, on: the loop may turn as often as it likes */
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
    int changes = 0, last = 0;
    for (int i = 0; i < 5; i++) {
        int now = atomic_load(&lamp);
        changes += now != last;
        last = now;
    }
    atomic_store(&stop, 1);
    pthread_join(blinker, NULL);
    assert(changes < 5);
    return 0;
}
