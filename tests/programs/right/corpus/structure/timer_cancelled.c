/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
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
    pthread_join(t, NULL);
    free(timer);
    return 0;
}
