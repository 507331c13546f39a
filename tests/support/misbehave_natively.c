/* SPDX-License-Identifier: Apache-2.0 */
/* A counter whose operations do what programs do to tools that run them: -DROLE=name says what; -DIN_SETUP and -DIN_TEARDOWN say
 * where, if not in the 500th call. The counter itself is right. */
#include <plumb.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_long count, calls;

__attribute__((unused)) static void nothing(void)
{
}

__attribute__((unused)) static void forks(void)
{
    if (fork() == 0)
        for (;;)
            pause();
}

__attribute__((unused)) static void forks_daemon(void)
{
    if (fork() == 0) {
        setsid();
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        for (;;)
            pause();
    }
}

__attribute__((unused)) static void execs(void)
{
    execl("/bin/sleep", "sleep", "1000", (char *)NULL);
}

__attribute__((unused)) static void exits(void)
{
    exit(3);
}

__attribute__((unused)) static void exits_well(void)
{
    _exit(0);
}

__attribute__((unused)) static void aborts(void)
{
    abort();
}

__attribute__((unused)) static void ends_thread(void)
{
    pthread_exit(NULL);
}

__attribute__((unused)) static void smashes_heap(void)
{
    char *volatile block = malloc(24);
    for (volatile int i = -16; i < 4096; i++)
        block[i] = 0x5a;
    for (int i = 0; i < 100; i++) {
        void *volatile other = malloc((size_t)i * 64);
        free(other);
    }
    free(block);
    free(block);
}

/* Everything that can be written to, the memory of the tool included. */
__attribute__((unused)) static void smashes_all(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], mode[8];
    unsigned long from, to;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) == 3 && mode[1] == 'w' && mode[3] == 's')
            memset((void *)from, 0xa5, to - from);
    for (;;)
        pause();
}

__attribute__((unused)) static void smashes_records(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], mode[8];
    unsigned long from, to;
    unsigned seed = 7;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) == 3 && mode[1] == 'w' && mode[3] == 's')
            for (unsigned long at = from + (to - from) / 2; at < to; at += 64)
                *(unsigned long *)at = (unsigned long)rand_r(&seed) << 33 | (unsigned)rand_r(&seed);
}

__attribute__((unused)) static void smashes_stack(void)
{
    volatile char local[16];
    for (int i = -256; i < 8192; i++)
        local[i] = 0x41;
}

__attribute__((unused)) static void overflows_stack(void)
{
    volatile char local[4096];
    local[0] = 1;
    overflows_stack();
    local[1] = local[0];
}

__attribute__((unused)) static void closes_all(void)
{
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
}

__attribute__((unused)) static void eats_memory(void)
{
    for (;;) {
        char *block = malloc(64u << 20);
        if (!block)
            abort();
        memset(block, 1, 64u << 20);
    }
}

__attribute__((unused)) static void ignores_signals(void)
{
    for (int i = 1; i < 64; i++)
        signal(i, SIG_IGN);
    for (;;)
        pause();
}

__attribute__((unused)) static void blocks(void)
{
    for (;;)
        pause();
}

__attribute__((unused)) static void spins(void)
{
    for (volatile int i = 0;; i++)
        ;
}

__attribute__((unused)) static void kills_itself(void)
{
    kill(getpid(), SIGKILL);
}

__attribute__((unused)) static void stops_itself(void)
{
    kill(getpid(), SIGSTOP);
}

__attribute__((unused)) static void kills_group(void)
{
    kill(0, SIGTERM);
}

__attribute__((unused)) static void kills_parent(void)
{
    kill(getppid(), SIGINT);
}

__attribute__((unused)) static void unmaps(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], mode[8];
    unsigned long from, to;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) == 3 && mode[3] == 's')
            munmap((void *)from, to - from);
}

__attribute__((unused)) static void prints_much(void)
{
    for (int i = 0; i < 100000; i++)
        puts("a line that nobody asked for, and another one");
}

__attribute__((unused)) static void divides(void)
{
    volatile int zero = 0;
    zero = 7 / zero;
}

__attribute__((unused)) static void segfaults(void)
{
    *(volatile int *)16 = 1;
}

__attribute__((unused)) static void catches_signals(void)
{
    signal(SIGSEGV, SIG_IGN);
    *(volatile int *)16 = 1;
}

__attribute__((unused)) static void changes_folder(void)
{
    if (chdir("/"))
        abort();
    umask(0777);
}

#ifndef ROLE
#define ROLE nothing
#endif
#define ONCE_AFTER(n)                           \
    do {                                        \
        if (atomic_fetch_add(&calls, 1) == (n)) \
            ROLE();                             \
    } while (0)

PLUMB_OBJECT(counter)

PLUMB_SETUP()
{
    atomic_store(&count, 0);
#ifdef IN_SETUP
    ROLE();
#endif
}

PLUMB_TEARDOWN()
{
#ifdef IN_TEARDOWN
    ROLE();
#endif
}

PLUMB_OP(add, long, n)
{
    atomic_fetch_add(&count, n);
#if !defined IN_SETUP && !defined IN_TEARDOWN
    ONCE_AFTER(500);
#endif
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&count));
}
