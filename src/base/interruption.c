/* SPDX-License-Identifier: Apache-2.0 */
#include "base/interruption.h"

#include <stddef.h>
#include <time.h>

static const int signals[] = {SIGINT, SIGTERM};
enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile sig_atomic_t came; /* the number of the first one */
static volatile pid_t first_sender;
static volatile time_t first_second;
static bool is_begun;
static struct sigaction usual[SIGNALS];
static bool (*is_foreign_signal)(const siginfo_t *info);
static void (*announce_end)(const char *during);

static void restore(void)
{
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &usual[i], NULL);
}

/* timeout(1) sends its signal to the process and then to the group: that is one request. */
static bool is_repetition(int number, const siginfo_t *info, time_t now)
{
    return number == came && info->si_pid && info->si_pid == first_sender && now - first_second <= 1;
}

static void interrupt(int number, siginfo_t *info, void *context)
{
    (void)context;
    struct timespec now = {0};
    if (is_foreign_signal && is_foreign_signal(info))
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (came && is_repetition(number, info, now.tv_sec))
        return;
    if (came) {
        restore();
        raise(number); /* takes effect when this has returned */
    }
    came = number;
    first_sender = info->si_pid;
    first_second = now.tv_sec;
}

void interruption_begin(void)
{
    struct sigaction action = {.sa_sigaction = interrupt, .sa_flags = SA_SIGINFO};
    if (is_begun)
        return;
    is_begun = true;
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &usual[i]);
        if (usual[i].sa_handler != SIG_IGN) /* else it is not meant for this process */
            sigaction(signals[i], &action, NULL);
    }
}

void interruption_end(void)
{
    if (is_begun)
        restore();
    is_begun = false;
    came = 0;
}

bool interruption_came(void)
{
    return came;
}

volatile sig_atomic_t *interruption_flag(void)
{
    return &came;
}

void interruption_obey(const char *during)
{
    int number = came;
    if (!number)
        return;
    interruption_end();
    if (announce_end && during)
        announce_end(during);
    raise(number);
}

void interruption_announce(void (*announce)(const char *during))
{
    announce_end = announce;
}

void interruption_ignore(bool (*is_foreign)(const siginfo_t *info))
{
    is_foreign_signal = is_foreign;
}

const char *interruption_or_time(void)
{
    return came ? "interrupted" : "time limit met";
}
