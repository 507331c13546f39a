/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: the timer is disarmed before it has fired, perhaps */
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer;

static void *disarm(void *unused)
{
    timerfd_settime(timer, 0, &(struct itimerspec){.it_value = {0}}, NULL);
    return unused;
}

int main(void)
{
    pthread_t t;
    uint64_t times = 0;
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &(struct itimerspec){.it_value = {1, 0}}, NULL);
    pthread_create(&t, NULL, disarm, NULL);
    read(timer, &times, sizeof times);
    pthread_join(t, NULL);
    return 0;
}
