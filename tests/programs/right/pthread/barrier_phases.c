/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: one serial thread per phase, and the barrier orders what was written before it */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_barrier_t meet;
static int cells[2];
static atomic_int serial;

static void *phase(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int round = 1; round <= 2; round++) {
        cells[me] = round;
        if (pthread_barrier_wait(&meet) == PTHREAD_BARRIER_SERIAL_THREAD)
            atomic_fetch_add(&serial, 1);
        assert(cells[!me] == round);
        pthread_barrier_wait(&meet);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&t, NULL, phase, (void *)1);
    phase((void *)0);
    pthread_join(t, NULL);
    assert(serial == 2);
    return pthread_barrier_destroy(&meet);
}
