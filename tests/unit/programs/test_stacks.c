/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of another process: of threads that wait, and of one that a signal stopped. */
#include "target/stacks.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct shared {
    _Atomic int ready;
};
static struct shared *shared;

__attribute__((noinline)) static void waits_here(void)
{
    shared->ready++;
    for (;;)
        pause();
}

static void *wait_in_thread(void *arg)
{
    waits_here();
    return arg;
}

static void handle(int signal)
{
    (void)signal;
    waits_here();
}

__attribute__((noinline)) static void crashes_here(void)
{
    raise(SIGSEGV); /* sanitizers would report a bad store themselves */
    shared->ready++;
}

static void be_child(bool crashes)
{
    pthread_t thread;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* where a test fails, too */
    signal(SIGSEGV, handle);
    if (pthread_create(&thread, NULL, wait_in_thread, NULL) != 0)
        _exit(1);
    if (crashes)
        crashes_here();
    waits_here();
}

static pid_t start(bool crashes)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    pid_t child = fork();
    if (child == 0)
        be_child(crashes);
    while (shared->ready < 2 && waitpid(child, NULL, WNOHANG) == 0)
        usleep(1000);
    assert_true(shared->ready >= 2);
    return child;
}

static bool has_frame(const struct target_stacks *stacks, const struct target_stack *stack,
                      const char *function)
{
    target_frames frames = {0};
    bool found = false;
    target_stacks_describe(stacks, stack, &frames);
    for (size_t i = 0; i < frames.len; i++) {
        found |= strstr(frames.data[i], function) && strstr(frames.data[i], " at ") &&
                 strstr(frames.data[i], "test_stacks.c:");
        free(frames.data[i]);
    }
    vec_free(&frames);
    return found;
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    munmap(shared, sizeof *shared);
}

static void threads_that_wait_have_their_functions(void **state)
{
    (void)state;
    struct target_stacks stacks;
    struct diagnostic why = {0};
    pid_t child = start(false);
    if (!target_stacks_take(&stacks, child, &why))
        fail_msg("%s", why.message);
    assert_int_equal(stacks.threads.len, 2);
    for (size_t i = 0; i < 2; i++)
        assert_true(has_frame(&stacks, &stacks.threads.data[i], "waits_here"));
    assert_non_null(target_stacks_of(&stacks, child));
    assert_null(target_stacks_of(&stacks, 1));
    target_stacks_free(&stacks);
    end(child);
}

static void a_signal_is_where_it_came_from(void **state)
{
    (void)state;
    struct target_stacks stacks;
    struct diagnostic why = {0};
    pid_t child = start(true);
    if (!target_stacks_take(&stacks, child, &why))
        fail_msg("%s", why.message);
    const struct target_stack *main_thread = target_stacks_of(&stacks, child);
    assert_non_null(main_thread);
    assert_true(has_frame(&stacks, main_thread, "crashes_here"));
    assert_false(has_frame(&stacks, main_thread, "waits_here"));
    target_stacks_free(&stacks);
    end(child);
}

static void a_process_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct target_stacks stacks;
    struct diagnostic why = {0};
    assert_false(target_stacks_take(&stacks, 0x3fffffff, &why));
    assert_int_equal(why.code, PL_CANNOT_RUN);
    target_stacks_free(&stacks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_wait_have_their_functions),
        cmocka_unit_test(a_signal_is_where_it_came_from),
        cmocka_unit_test(a_process_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
