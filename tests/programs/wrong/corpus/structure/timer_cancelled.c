/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|race */
/* mode: all */
/* note: the timer's entry is freed on cancellation although its callback may be running */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct timer {
    atomic_int state; /* 0 armed, 1 fired, 2 cancelled */
    int ticks;
};
static struct timer *timer;

static void *expire(void *unused)
{
    (void)unused;
    int armed = 0;
    if (atomic_compare_exchange_strong(&timer->state, &armed, 1))
        timer->ticks++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int armed = 0;
    timer = calloc(1, sizeof *timer);
    pthread_create(&t, NULL, expire, NULL);
    atomic_compare_exchange_strong(&timer->state, &armed, 2);
    free(timer);
    pthread_join(t, NULL);
    return 0;
}
