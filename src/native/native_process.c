/* SPDX-License-Identifier: Apache-2.0 */
/* The main thread: maps the shared memory, lists the harness, and runs one round after the other. */
#include "native/native_process.h"

#include "native/native.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Weak: defined if the program was compiled for noise and linked with its library. */
extern _Atomic uint32_t plumb_noise_percent __attribute__((weak, visibility("default")));

static bool map_shared(void)
{
    const char *text = getenv(STRESS_VARIABLE);
    int fd = text ? atoi(text) : -1;
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0 || status.st_size < (off_t)sizeof(struct stress_shared))
        return false;
    struct stress_shared *s = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (s == MAP_FAILED || s->magic != STRESS_MAGIC || s->size > (uint64_t)status.st_size)
        return false;
    native.shared = s;
    close(fd); /* none of the user's descriptors */
    unsetenv(STRESS_VARIABLE);
    sign_off_take(&s->sign_off);
    return true;
}

/* Before constructors of the program, which might take the key. */
__attribute__((constructor(101))) static void open_shared(void)
{
    map_shared();
}

static void sign_list(void)
{
    struct stress_shared *s = native.shared;
    const struct sign_off_part list = {s->list, strlen(s->list) + 1};
    sign_off_sign(&s->sign_off, &list, 1);
}

/* From what the threads keep themselves. */
static void sign_round(uint32_t rounds)
{
    struct stress_shared *s = native.shared;
    struct stress_account a = {.number = native.round.number,
                               .seed = native.round.seed,
                               .rounds = rounds,
                               .segments = atomic_load(&s->finished),
                               .abandoned = atomic_load(&native.abandoned),
                               .invariant_bad = atomic_load(&native.invariant_bad)};
    for (uint32_t i = 0; i <= native.round.threads; i++)
        a.calls += native.threads[i].returned;
    const struct sign_off_part account = {&a, sizeof a};
    sign_off_sign(&s->sign_off, &account, 1);
    s->account = a;
}

static _Noreturn void refuse(void)
{
    native_enter(STRESS_REFUSED);
    for (;;)
        pause();
}

/* ------------------------------------------------------------------ rounds */

static bool has_finals(void)
{
    return native.shared->plan.final_count != 0;
}

static void set_up(struct native_thread *t)
{
    (void)t;
    native_run_parts(PLUMB_PART_SETUP);
    if (has_finals())
        native_run_parts(PLUMB_PART_THREAD_SETUP);
}

static void check_invariants(struct native_thread *t)
{
    (void)t;
    if (native_check_invariants())
        return;
    atomic_store(&native.invariant_bad, 1);
    atomic_store(&native.shared->invariant_bad, 1);
}

static void tear_down(struct native_thread *t)
{
    (void)t;
    if (has_finals())
        native_run_parts(PLUMB_PART_THREAD_TEARDOWN);
    native_run_parts(PLUMB_PART_TEARDOWN);
}

static void run_round(struct native_thread *t)
{
    struct stress_shared *s = native.shared;
    native_enter(STRESS_SETUP);
    native_begin_thread(t);
    if (native_guard(t, set_up)) {
        native_enter(STRESS_RUNNING);
        if (native.round.threads)
            native_run_threads();
        native_enter(STRESS_FINAL);
        if (has_finals() && !atomic_load(&s->abandoned))
            native_guard(t, native_run_finals);
        native_enter(STRESS_INVARIANT);
        if (!atomic_load(&s->abandoned))
            native_guard(t, check_invariants);
    }
    native_enter(STRESS_TEARDOWN);
    native_guard(t, tear_down);
}

static uint32_t await_go(uint32_t rounds)
{
    _Atomic uint32_t *go = &native.shared->go;
    enum { SPINS = 500 };
    for (int i = 0; i < SPINS && atomic_load_explicit(go, memory_order_acquire) == rounds; i++)
        native_pause();
    while (atomic_load(go) == rounds)
        native_futex_wait(go, rounds, true);
    return atomic_load(go);
}

static void take_round(void)
{
    uint32_t most = native.shared->slots - 1;
    native.round = native.shared->round;
    atomic_store(&native.abandoned, 0);
    atomic_store(&native.invariant_bad, 0);
    if (native.round.threads > most)
        native.round.threads = most;
    native_read_plan();
    if (&plumb_noise_percent)
        atomic_store(&plumb_noise_percent, native.shared->plan.noise);
}

static void begin_main_thread(void)
{
    struct native_thread *t = native.threads;
    native_self = t;
    native_make_signal_stack(t);
    atomic_store(&t->slot->tid, (uint32_t)syscall(SYS_gettid));
}

static void run_here(uint32_t rounds)
{
    if (!native.threads && !native_make_threads())
        refuse();
    begin_main_thread();
    atomic_store(&native.threads->slot->busy, 1);
    run_round(native.threads);
    atomic_store(&native.threads->slot->busy, 0);
    native_enter(STRESS_WAITING);
    sign_round(rounds);
    atomic_store(&native.shared->ended, rounds);
    native_beat();
}

/* Ends as the child did, so that the tool sees it. */
static _Noreturn void end_like(int status)
{
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static void await_child(pid_t child, uint32_t rounds)
{
    int status;
    while (waitpid(child, &status, 0) != child)
        continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || atomic_load(&native.shared->ended) != rounds)
        end_like(status);
}

/* No round leaves anything to the next one: not every harness has a set-up that makes everything new. */
static void run_in_child(uint32_t rounds)
{
    pid_t parent = getpid(), child = fork();
    if (child < 0) {
        snprintf(native.shared->message, sizeof native.shared->message,
                 "the system has no room for another process");
        refuse();
    }
    if (child > 0) {
        await_child(child, rounds);
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    native.threads = NULL; /* those of rounds before are not here */
    if (getppid() == parent)
        run_here(rounds);
    _exit(0);
}

static _Noreturn void run_rounds(void)
{
    for (uint32_t rounds = 0;;) {
        rounds = await_go(rounds);
        take_round();
        if (native.round.fresh)
            run_in_child(rounds);
        else
            run_here(rounds);
    }
}

int plumb_stress_main(void)
{
    if (!native.shared) {
        fprintf(stderr, "this is a harness, which plumb stress runs: plumb stress FILES\n");
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    native_catch_signals();
    native_make_known_texts();
    if (!native_list_parts())
        refuse();
    sign_list();
    native_enter(STRESS_LISTED);
    run_rounds();
}
