/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: a timer with an interval may fire more than once before it is read */
#include <assert.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    uint64_t times = 0;
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    timerfd_settime(timer, 0, &(struct itimerspec){.it_value = {1, 0}, .it_interval = {1, 0}}, NULL);
    if (read(timer, &times, sizeof times) == sizeof times)
        assert(times == 1);
    return 0;
}
