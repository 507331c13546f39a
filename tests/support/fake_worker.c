/* SPDX-License-Identifier: Apache-2.0 */
/* A worker process without a program under test: does what config.test says. Compiled by test_target.c and
 * lies.sh. */
#include "engine/shared/worker_result.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct worker_shared *shared;

static void finish(void)
{
    shared->executions = 5;
    worker_result_end(shared, WORKER_DONE);
}

static void crash(enum worker_state state)
{
    shared->state = state;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

static void wait_for_ever(enum worker_state state)
{
    shared->state = state;
    signal(SIGTERM, SIG_IGN);
    for (;;)
        pause();
}

/* A child that holds our output open and does not want to go. */
static void leave_child(void)
{
    shared->state = WORKER_RUNNING;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGHUP, SIG_IGN);
        wait_for_ever(WORKER_RUNNING);
    }
    shared->modules[1].base = (uint64_t)child;
}

static void role_finish(void)
{
    finish();
}
static void role_crash_before_main(void)
{
    crash(WORKER_PREPARING);
}
static void role_crash_in_setup(void)
{
    crash(WORKER_SETUP);
}
static void role_crash(void)
{
    crash(WORKER_RUNNING);
}
static void role_crash_judging(void)
{
    crash(WORKER_JUDGING);
}
static void role_crash_done(void)
{
    worker_result_sign(shared, WORKER_DONE);
    crash(WORKER_DONE);
}
static void role_loop(void)
{
    wait_for_ever(WORKER_RUNNING);
}
static void role_loop_judging(void)
{
    wait_for_ever(WORKER_JUDGING);
}
static void role_loop_starting(void)
{
    wait_for_ever(WORKER_STARTING);
}
static void role_exit_starting(void)
{
    exit(9);
}

static void role_found(void)
{
    shared->error.kind = WORKER_ERROR_RACE;
    strcpy(shared->error.message, "two threads access x");
    worker_result_end(shared, WORKER_FOUND);
}

static void role_found_nothing(void)
{
    worker_result_end(shared, WORKER_FOUND);
}

static void role_crash_described(void)
{
    shared->error.kind = WORKER_ERROR_STACK_OVERFLOW;
    strcpy(shared->error.message, "the stack is full");
    crash(WORKER_RUNNING);
}

static void role_refused(void)
{
    strcpy(shared->error.message, "the program has no events");
    worker_result_end(shared, WORKER_REFUSED);
}

/* Out of its group and session, and on its own. */
static void role_child_leaves(void)
{
    shared->state = WORKER_RUNNING;
    pid_t child = fork();
    if (child == 0) {
        setsid();
        pid_t grandchild = fork();
        if (grandchild == 0)
            wait_for_ever(WORKER_RUNNING);
        shared->modules[1].base = (uint64_t)grandchild;
        _exit(0);
    }
    waitpid(child, NULL, 0);
    finish();
}

/* As a program under test may do it: to its parent, whatever that is. */
static void role_kill_parent(void)
{
    static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++)
        kill(getppid(), deadly[i]);
    finish();
}

static void role_killed(void)
{
    shared->state = WORKER_RUNNING;
    kill(getpid(), SIGKILL);
}

static void role_exit_3(void)
{
    shared->state = WORKER_RUNNING;
    _exit(3);
}

static void role_exit_0(void)
{
    shared->state = WORKER_RUNNING;
    _exit(0);
}

static void role_bug(void)
{
    shared->state = WORKER_RUNNING;
    fprintf(stderr, "plumb: internal error: a.c:1: x [PL0070]\n");
    _exit(70);
}

static void role_no_memory(void)
{
    shared->state = WORKER_RUNNING;
    fprintf(stderr, "plumb: error: the system has no memory left: inconclusive [PL0001]\n");
    _exit(3);
}

static void role_child(void)
{
    leave_child();
    finish();
}

static void role_child_crash(void)
{
    leave_child();
    crash(WORKER_RUNNING);
}

static void role_child_loop(void)
{
    leave_child();
    wait_for_ever(WORKER_RUNNING);
}

static void role_slow(void)
{
    shared->state = WORKER_RUNNING;
    for (int i = 0; i < 10; i++) {
        usleep(100000);
        shared->steps++;
    }
    finish();
}

static void role_close_output(void)
{
    close(1);
    close(2);
    usleep(200000);
    finish();
}

static void role_flood(void)
{
    for (int i = 0; i < 10 * 1024; i++)
        printf("%01023d\n", i);
    printf("the end\n");
    fflush(stdout);
    finish();
}

static void role_flood_for_ever(void)
{
    shared->state = WORKER_RUNNING;
    for (;;)
        puts("again and again");
}

static void role_scribble(void)
{
    memset(shared, 0xff, sizeof *shared);
    raise(SIGSEGV);
}

static void role_descriptors(void)
{
    char c;
    int highest = 0;
    DIR *list = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(list));) {
        if (atoi(entry->d_name) > highest && atoi(entry->d_name) != dirfd(list))
            highest = atoi(entry->d_name);
    }
    printf("input %zd highest %d leader %d\n", read(0, &c, 1), highest, getpgrp() == getpid());
    fflush(stdout);
    finish();
}

static void role_addresses(void)
{
    int local;
    printf("%p %p %p\n", (void *)&local, (void *)role_addresses, malloc(1));
    fflush(stdout);
    finish();
}

/* The last choice and event hash as a worker leaves them, from the schedule it was given. */
static void role_replay(void)
{
    shared->choice_count = shared->config.schedule_count;
    shared->event_hash = 0x1234;
    role_found();
}

/* --- one execution with an error, and lies when it is run again --- */

static bool is_replay(void)
{
    return shared->config.mode == WORKER_REPLAY;
}

static void add_event(unsigned thread, enum event_kind kind, uint64_t value)
{
    shared->events[shared->event_count++] =
        (struct event){.pc = 0x5000 + value, .value = value, .thread = (uint16_t)thread, .kind = kind};
    if (kind != EVENT_PLAIN_READ)
        shared->event_hash = shared->event_hash * 31 + value + thread * 7 + kind;
}

static void write_history(const char *history)
{
    shared->history_length = (uint32_t)strlen(history);
    memcpy(shared->history, history, shared->history_length);
    strcpy(shared->judged_by, "register");
}

/* Three events, the second one of `thread`; a replay also has a plain access in between. */
static void run_events(unsigned thread)
{
    add_event(0, EVENT_WRITE, 1);
    if (is_replay() && shared->config.all_events)
        add_event(0, EVENT_PLAIN_READ, 9);
    add_event(thread, EVENT_WRITE, 2);
    add_event(1, EVENT_WRITE, 3);
    shared->error.address = 0x1000;
    write_history("{}");
}

static void role_again_same(void)
{
    run_events(0);
    role_found();
}
static void role_again_other_step(void)
{
    run_events(is_replay());
    role_found();
}
static void role_again_longer(void)
{
    run_events(0);
    if (is_replay())
        add_event(1, EVENT_WRITE, 4);
    role_found();
}
static void role_again_shorter(void)
{
    if (!is_replay())
        run_events(0);
    else
        add_event(0, EVENT_WRITE, 1);
    role_found();
}
static void role_again_other_history(void)
{
    run_events(0);
    if (is_replay())
        write_history("[]");
    role_found();
}
static void role_again_nothing(void)
{
    run_events(0);
    if (is_replay())
        finish();
    role_found();
}
static void role_again_other_error(void)
{
    run_events(0);
    if (is_replay())
        crash(WORKER_RUNNING);
    role_found();
}
static void role_again_stuck(void)
{
    if (is_replay())
        wait_for_ever(WORKER_RUNNING);
    role_found();
}
static void role_again_broken(void)
{
    if (is_replay())
        crash(WORKER_JUDGING);
    role_found();
}

/* Not linearizable, with a history that is (or is none at all). */
static void accuse(const char *history)
{
    write_history(history);
    shared->error.kind = WORKER_ERROR_NOT_LINEARIZABLE;
    shared->error.phase = WORKER_RUNNING;
    strcpy(shared->error.message, "an answer is impossible");
    worker_result_end(shared, WORKER_FOUND);
}
static void role_right_history(void)
{
    accuse("{\"thread\":1,\"op\":\"write\",\"arg\":1,\"call\":1,\"return\":2}\n");
}
static void role_wrong_history(void)
{
    accuse("{\"thread\":1,\"op\":\"read\",\"result\":1,\"call\":1,\"return\":2}\n");
}
static void role_unreadable_history(void)
{
    accuse("{\"thread\":");
}
static void role_no_history(void)
{
    accuse("");
}
static void role_undecided(void)
{
    shared->undecided = 2;
    shared->limits = LIMIT_UNDECIDED;
    finish();
}

/* Results that no runtime has signed, or that cannot be. */
static void role_done_unsigned(void)
{
    shared->executions = 5;
    shared->state = WORKER_DONE;
    _exit(0);
}
static void role_done_too_late(void)
{
    sign_off_sign(&shared->sign_off, NULL, 0);
    role_done_unsigned();
}
static void role_refused_unsigned(void)
{
    strcpy(shared->error.message, "the program has no events");
    shared->state = WORKER_REFUSED;
    _exit(0);
}
static void role_found_unsigned(void)
{
    run_events(0);
    shared->error.kind = WORKER_ERROR_RACE;
    shared->state = WORKER_FOUND;
    _exit(0);
}
static void role_no_executions(void)
{
    worker_result_end(shared, WORKER_DONE);
}
static void role_asked_less(void)
{
    shared->config.executions_max = 1;
    finish();
}
static void role_backwards(void)
{
    shared->executions = 5;
    shared->complete = 6;
    worker_result_end(shared, WORKER_DONE);
}
/* More events than there is room for: the value of each is its number. */
static void role_long(void)
{
    for (uint64_t k = 0; k < PROTOCOL_EVENTS + 1000; k++) {
        uint32_t ring = (uint32_t)(PROTOCOL_EVENTS_FIRST + (k - PROTOCOL_EVENTS) % PROTOCOL_EVENTS_FIRST);
        shared->events[k < PROTOCOL_EVENTS ? k : ring] = (struct event){.kind = EVENT_WRITE, .value = k};
    }
    shared->event_count = PROTOCOL_EVENTS;
    shared->events_lost = 1000;
    role_found();
}

static const struct {
    const char *name;
    void (*play)(void);
} roles[] = {
#define ROLE(name)         \
    {                      \
#name, role_##name \
    }
    ROLE(finish),
    ROLE(found),
    ROLE(found_nothing),
    ROLE(refused),
    ROLE(child_leaves),
    ROLE(kill_parent),
    ROLE(killed),
    ROLE(slow),
    ROLE(bug),
    ROLE(no_memory),
    ROLE(crash),
    ROLE(crash_before_main),
    ROLE(crash_in_setup),
    ROLE(crash_judging),
    ROLE(crash_done),
    ROLE(crash_described),
    ROLE(loop),
    ROLE(loop_judging),
    ROLE(loop_starting),
    ROLE(exit_starting),
    ROLE(exit_3),
    ROLE(exit_0),
    ROLE(child),
    ROLE(child_crash),
    ROLE(child_loop),
    ROLE(close_output),
    ROLE(flood),
    ROLE(flood_for_ever),
    ROLE(scribble),
    ROLE(descriptors),
    ROLE(addresses),
    ROLE(replay),
    ROLE(again_same),
    ROLE(again_other_step),
    ROLE(again_longer),
    ROLE(again_shorter),
    ROLE(again_other_history),
    ROLE(again_nothing),
    ROLE(again_other_error),
    ROLE(again_stuck),
    ROLE(again_broken),
    ROLE(right_history),
    ROLE(wrong_history),
    ROLE(unreadable_history),
    ROLE(no_history),
    ROLE(undecided),
    ROLE(long),
    ROLE(done_unsigned),
    ROLE(done_too_late),
    ROLE(refused_unsigned),
    ROLE(found_unsigned),
    ROLE(no_executions),
    ROLE(asked_less),
    ROLE(backwards),
};

int main(int count, char **words)
{
    const char *descriptor = getenv(PROTOCOL_VARIABLE);
    if (!descriptor)
        return 99;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(descriptor), 0);
    if (shared == MAP_FAILED || shared->config.magic != PROTOCOL_MAGIC)
        return 98;
    sign_off_take(&shared->sign_off);
    shared->modules[0].base = (uint64_t)getpid();
    for (int i = 1; i < count; i++)
        printf("argument %s\n", words[i]);
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (strcmp(roles[i].name, shared->config.test) == 0)
            roles[i].play();
    }
    return 97;
}
