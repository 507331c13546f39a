/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that end a program: noted for the tool, which looks at all stacks while the process waits. Everything here may run in any
 * state of the program: nothing but system calls. */
#include "native/native.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STACK_BYTES = 1 << 16, SECONDS = 30 };

static void note(int signal, const siginfo_t *info)
{
    static _Atomic uint32_t noted;
    struct stress_crash *c = &native.shared->crash;
    if (atomic_exchange(&noted, 1))
        return;
    c->slot = native_self ? native_self->number : STRESS_NO_SLOT;
    c->tid = (int32_t)syscall(SYS_gettid);
    c->code = info->si_code;
    c->address = (uint64_t)(uintptr_t)info->si_addr;
    atomic_store(&c->signal, (uint32_t)signal);
    native_beat();
}

/* The tool kills. If there is none any more, the signal does what it would have done. */
static void handle(int signal, siginfo_t *info, void *context)
{
    (void)context;
    note(signal, info);
    for (struct timespec rest = {SECONDS, 0}; syscall(SYS_nanosleep, &rest, &rest) != 0;)
        continue;
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(signal, &usual, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

/* Handlers that are there belong to a sanitizer, or to the user. */
static void set_handler(int signal, const struct sigaction *action)
{
    struct sigaction old;
    if (sigaction(signal, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
        sigaction(signal, action, NULL);
}

void native_catch_signals(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        set_handler(crashes[i], &action);
    /* Of the terminal: the tool gets them, too, and decides. */
    set_handler(SIGINT, &ignore);
    set_handler(SIGHUP, &ignore);
    set_handler(SIGQUIT, &ignore);
}

void native_make_signal_stack(struct native_thread *t)
{
    stack_t old;
    if (t->signal_stack || (sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE)))
        return;
    t->signal_stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (t->signal_stack == MAP_FAILED)
        return;
    stack_t stack = {.ss_sp = t->signal_stack, .ss_size = STACK_BYTES};
    sigaltstack(&stack, NULL);
}
