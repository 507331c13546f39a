/* SPDX-License-Identifier: Apache-2.0 */
/* usage: engine_launch RUNS PROGRAM [MODEL] Starts one worker as plumb does and prints "executions steps
 * nanoseconds-of-processor-time complete blocked peak-KiB" of its random executions; with the name of a memory
 * model: of all executions as graphs, or the first RUNS, 0: any number. A second run of one execution takes the cost
 * of starting away. PLUMB_MEMO=compare: executions that need not be run are, and compared; PLUMB_MEMO=off: nothing is
 * remembered. Exit code 1 when the program fails, or an execution came out differently. */
#include "engine/shared/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct worker_shared *make_shared(int *fd)
{
    *fd = memfd_create("plumb", 0);
    if (*fd < 0 || ftruncate(*fd, sizeof(struct worker_shared)) != 0)
        return NULL;
    void *memory = mmap(NULL, sizeof(struct worker_shared), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void become_worker(int fd, char *program)
{
    char number[16], *arguments[] = {program, NULL};
    snprintf(number, sizeof number, "%d", fd);
    setenv(PROTOCOL_VARIABLE, number, 1);
    personality(ADDR_NO_RANDOMIZE);
    execv(program, arguments);
    perror(program);
    _exit(127);
}

static double processor_time(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1e9 +
           (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1e3;
}

struct result {
    uint64_t executions, steps, complete, blocked;
    double nanoseconds;
    long peak; /* KiB */
};

static struct worker_config configure(uint64_t runs, const char *model)
{
    struct worker_config c = {.magic = PROTOCOL_MAGIC, .seed = 1, .step_limit = 1000000};
    c.mode = model ? WORKER_GRAPH : WORKER_RANDOM;
    const char *memo = getenv("PLUMB_MEMO");
    c.memo = !memo ? MEMO_USED : *memo == 'c' ? MEMO_COMPARED : MEMO_NOT;
    if (model) {
        c.executions_max = runs;
        snprintf(c.memory, sizeof c.memory, "%s", model);
    } else {
        c.runs = runs;
    }
    return c;
}

static bool run(uint64_t runs, char *program, const char *model, struct result *r)
{
    int fd, status;
    struct rusage usage;
    struct worker_shared *shared = make_shared(&fd);
    if (!shared)
        return false;
    shared->config = configure(runs, model);
    pid_t child = fork();
    if (child == 0)
        become_worker(fd, program);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0)
        return false;
    bool done = shared->state == WORKER_DONE && !(shared->limits & LIMIT_NONDETERMINISM);
    if (!done)
        fprintf(stderr, "%s: state %u: %s\n", program, shared->state, shared->error.message);
    *r = (struct result){shared->executions, shared->steps,          shared->complete,
                         shared->blocked,    processor_time(&usage), usage.ru_maxrss};
    close(fd);
    munmap(shared, sizeof *shared);
    return done;
}

int main(int argc, char **argv)
{
    struct result all, one;
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: engine_launch RUNS PROGRAM [MODEL]\n");
        return 2;
    }
    const char *model = argc == 4 ? argv[3] : NULL;
    if (!run(strtoull(argv[1], NULL, 10), argv[2], model, &all) || !run(1, argv[2], model, &one))
        return 1;
    double spent = all.nanoseconds > one.nanoseconds ? all.nanoseconds - one.nanoseconds : 1;
    printf("%llu %llu %.0f %llu %llu %ld\n", (unsigned long long)all.executions,
           (unsigned long long)all.steps, spent, (unsigned long long)all.complete,
           (unsigned long long)all.blocked, all.peak);
    return 0;
}
