/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: a reader's quiescence is waited for by spinning, then by a futex; wrong: the reader wakes before it is quiescent */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SPINS
#define SPINS 1000
#endif

static atomic_int active = 1, futex_word;

static void wake(void)
{
    if (atomic_load(&futex_word) == -1) {
        atomic_store(&futex_word, 0);
        syscall(SYS_futex, &futex_word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

static void *leave(void *arg)
{
#ifdef WRONG
    wake();
    atomic_store(&active, 0);
#else
    atomic_store(&active, 0);
    wake();
#endif
    return arg;
}

static void wait_for_reader(void)
{
    for (int loops = 0; atomic_load(&active); loops++) {
        if (loops < SPINS)
            continue;
        atomic_store(&futex_word, -1);
        if (!atomic_load(&active)) {
            atomic_store(&futex_word, 0);
            return;
        }
        while (atomic_load(&futex_word) == -1)
            syscall(SYS_futex, &futex_word, FUTEX_WAIT_PRIVATE, -1, NULL, NULL, 0);
    }
}

int main(void)
{
    pthread_t reader;
    pthread_create(&reader, NULL, leave, NULL);
    wait_for_reader();
    pthread_join(reader, NULL);
    assert(!atomic_load(&active));
    return 0;
}
