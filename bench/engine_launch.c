/* SPDX-License-Identifier: Apache-2.0 */
/* usage: engine_launch RUNS PROGRAM Starts one worker as plumb does and prints "executions steps
 * nanoseconds-of-processor-time" of its random executions; a second, empty run takes the cost of starting
 * away. Exit code 1 when the program fails. */
#include "engine/protocol.h"

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

/* Nanoseconds, or -1. */
static double run(uint64_t runs, char *program, uint64_t *executions, uint64_t *steps)
{
    int fd, status;
    struct rusage usage;
    struct worker_shared *shared = make_shared(&fd);
    if (!shared)
        return -1;
    shared->config = (struct worker_config){
        .magic = PROTOCOL_MAGIC, .mode = WORKER_RANDOM, .runs = runs, .seed = 1, .step_limit = 1000000};
    pid_t child = fork();
    if (child == 0)
        become_worker(fd, program);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0)
        return -1;
    bool done = shared->state == WORKER_DONE;
    if (!done)
        fprintf(stderr, "%s: state %u: %s\n", program, shared->state, shared->error.message);
    *executions = shared->executions;
    *steps = shared->steps;
    close(fd);
    munmap(shared, sizeof *shared);
    return done ? processor_time(&usage) : -1;
}

int main(int argc, char **argv)
{
    uint64_t executions, steps, few_executions, few_steps;
    if (argc != 3) {
        fprintf(stderr, "usage: engine_launch RUNS PROGRAM\n");
        return 2;
    }
    double all = run(strtoull(argv[1], NULL, 10), argv[2], &executions, &steps);
    double start = run(1, argv[2], &few_executions, &few_steps);
    if (all < 0 || start < 0)
        return 1;
    printf("%llu %llu %.0f\n", (unsigned long long)executions, (unsigned long long)steps,
           all > start ? all - start : 1);
    return 0;
}
