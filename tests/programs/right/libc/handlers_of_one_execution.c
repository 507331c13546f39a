/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* Every execution begins with the handlers and masks of the program's start. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int flag;
static volatile sig_atomic_t count;

static void on_signal(int number)
{
    (void)number;
    count++;
}

static void *set_flag(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sigset_t old, set;
    pthread_create(&thread, NULL, set_flag, NULL);
    int chosen = atomic_load(&flag) ? SIGUSR1 : SIGUSR2;
    pthread_join(thread, NULL);
    assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
    assert(signal(SIGUSR2, SIG_IGN) == SIG_DFL);
    signal(chosen, on_signal);
    raise(SIGUSR1);
    raise(SIGUSR2);
    assert(count == 1);
    sigemptyset(&set);
    sigaddset(&set, chosen);
    sigprocmask(SIG_BLOCK, &set, &old);
    assert(!sigismember(&old, SIGUSR1) && !sigismember(&old, SIGUSR2));
    return 0;
}
