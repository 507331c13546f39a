/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* A handler runs in the thread that raises the signal, before raise returns, whatever the others do meanwhile. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int handled;
static _Thread_local volatile sig_atomic_t mine;

static void on_signal(int number)
{
    (void)number;
    atomic_fetch_add(&handled, 1);
    mine = 1;
}

static void *raises(void *unused)
{
    raise(SIGUSR1);
    assert(mine);
    return unused;
}

static void *blocks(void *unused)
{
    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    assert(!mine);
    sigpending(&pending);
    assert(sigismember(&pending, SIGUSR1) && !sigismember(&pending, SIGUSR2));
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(mine);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&threads[0], NULL, raises, NULL);
    pthread_create(&threads[1], NULL, blocks, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    assert(atomic_load(&handled) == 2);
    return 0;
}
