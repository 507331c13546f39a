/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* A call that takes a pending signal is not supported, and is named instead of waiting forever. */
#include <signal.h>
#include <stddef.h>

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    return sigwaitinfo(&set, NULL) != SIGUSR1;
}
