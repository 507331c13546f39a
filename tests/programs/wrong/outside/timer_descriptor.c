/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the timer may be set before it is read */
#include <assert.h>
#include <pthread.h>
#include <sys/timerfd.h>
static int timer;
static void *set(void *u)
{
    struct itimerspec s = {.it_value.tv_sec = 1000};
    timerfd_settime(timer, 0, &s, 0);
    return 0;
}
int main(void)
{
    pthread_t t;
    struct itimerspec s;
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    pthread_create(&t, 0, set, 0);
    timerfd_gettime(timer, &s);
    pthread_join(t, 0);
    assert(s.it_value.tv_sec == 0);
}
