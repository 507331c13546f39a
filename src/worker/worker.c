/* SPDX-License-Identifier: Apache-2.0 */
/* The process under test: prepares once, then runs executions until the explorer has enough or an error is found. */
#include "engine/engine.h"
#include "explore/explore.h"
#include "rt/start.h"
#include "rt/threads.h"
#include "worker/harness.h"
#include "worker/signals.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct program {
    int (*main)(int, char **, char **);
    int argc;
    char **argv, **environment;
};

static struct worker_shared *map_shared(void)
{
    const char *number = getenv(PROTOCOL_VARIABLE);
    int fd = number ? atoi(number) : -1;
    void *memory = mmap(NULL, sizeof(struct worker_shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    struct worker_shared *shared = memory;
    if (memory == MAP_FAILED || shared->config.magic != PROTOCOL_MAGIC)
        _exit(70);
    close(fd);
    return shared;
}

/* A debugger starts the program as often as its user likes, with its own terminal: each time is like the first. */
static void prepare_debugging(struct worker_shared *s)
{
    const size_t from = offsetof(struct worker_shared, state), to = offsetof(struct worker_shared, schedule);
    memset((char *)s + from, 0, to - from);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing > 0) {
        dup2(nothing, 0);
        close(nothing);
    }
}

static struct explorer *make_explorer(const struct worker_shared *s)
{
    const struct worker_config *c = &s->config;
    switch (c->mode) {
    case WORKER_PCT: return explore_pct(c->seed, c->first, c->runs, c->pct_depth, 0);
    case WORKER_DFS: return explore_dfs(c->preemptions);
    case WORKER_REPLAY: return explore_replay(s->schedule, c->schedule_count);
    default: return explore_random(c->seed, c->first, c->runs);
    }
}

static void run_program(void *argument)
{
    struct program *p = argument;
    threads_begin();
    ending_exit(p->main(p->argc, p->argv, p->environment), NULL);
}

static void count_outcome(struct worker_shared *s, enum port_outcome outcome)
{
    s->executions++;
    s->complete += outcome == PORT_COMPLETE;
    s->blocked += outcome == PORT_BLOCKED;
    s->cut += outcome == PORT_CUT;
}

static void check_leaks(struct worker_shared *s)
{
    uint64_t address = 0;
    const void *pc = NULL;
    size_t bytes = s->config.leaks ? heap_leaks(&address, &pc) : 0;
    if (bytes)
        engine_fail(WORKER_ERROR_LEAK, address, pc, "%zu bytes are never freed", bytes);
}

_Noreturn void worker_main(int (*program_main)(int, char **, char **), int argc, char **argv,
                           char **environment)
{
    struct worker_shared *s = map_shared();
    struct program program = {program_main, argc, argv, environment};
    if (s->config.debugger)
        prepare_debugging(s);
    s->state = WORKER_PREPARING;
    unsetenv(PROTOCOL_VARIABLE);
    bool has_test = harness_prepare(s);
    struct explorer *explorer = make_explorer(s);
    engine_prepare(s, explorer);
    engine_at_thread_end = threads_end;
    signals_install(s);
    heap_keep();
    snapshot_take(s);
    while (explorer->class->begin(explorer)) {
        threads_reset();
        locks_reset();
        enum port_outcome outcome = engine_run(has_test ? harness_run : run_program, &program);
        explorer->class->end(explorer, outcome);
        if (outcome == PORT_COMPLETE && has_test)
            harness_judge();
        if (outcome == PORT_COMPLETE)
            check_leaks(s);
        count_outcome(s, outcome);
    }
    if (s->config.mode == WORKER_DFS && explore_dfs_was_bounded(explorer))
        s->limits |= LIMIT_PREEMPTIONS;
    s->state = WORKER_DONE;
    _exit(0);
}
