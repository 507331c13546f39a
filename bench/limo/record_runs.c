/* SPDX-License-Identifier: Apache-2.0 */
/* Histories of a stack or queue on real threads, for bench/limo.sh. Linked with a harness.
 *   record_runs FOLDER THREADS REPEATS OPERATIONS...
 * writes FOLDER/OPERATIONS.REPEAT.bin. Half of the calls add; each value is added once. */
#include "formats/binary.h"
#include "record/stamps.h"

#include "../native/registered_parts.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 256 };

/* --- what the harness asks for ---------------------------------------------------------------------------------- */

void plumb_assume(bool holds)
{
    if (!holds)
        abort();
}

plumb_value plumb_result_wide(int64_t i)
{
    abort();
    (void)i;
}

/* --- calls ---------------------------------------------------------------------------------------------------------------- */

struct call {
    uint64_t called, returned;
    plumb_value argument, result; /* argument PLUMB_OK: a removal */
};

static struct thread {
    pthread_t id;
    unsigned number;
    uint64_t random;
    size_t count;
    struct call *calls;
} threads[THREADS_MAX];

static const struct plumb_part *adds, *removes;
static enum stamps stamps;
static pthread_barrier_t start;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 16;
}

/* There are fewer processors than threads: some calls let others go first, so that many overlap. */
static void call_once(struct call *c, uint64_t random, int64_t fresh)
{
    bool is_add = random & 1, is_slow = !(random >> 1 & 7);
    c->argument = is_add ? (plumb_value)fresh << 3 : PLUMB_OK;
    c->called = stamp_call(stamps);
    if (is_slow)
        sched_yield();
    c->result = run(is_add ? adds : removes, fresh);
    c->returned = stamp_return(stamps);
}

static void *loop(void *context)
{
    struct thread *me = context;
    thread_number = me->number;
    run(find_part(PLUMB_PART_THREAD_SETUP, NULL), 0);
    pthread_barrier_wait(&start);
    uint64_t last = 0;
    for (size_t i = 0; i < me->count; i++) {
        struct call *c = &me->calls[i];
        call_once(c, next_random(&me->random), (int64_t)me->number << 32 | (int64_t)(i + 1));
        c->called = c->called < last ? last : c->called;
        last = c->returned;
    }
    run(find_part(PLUMB_PART_THREAD_TEARDOWN, NULL), 0);
    return NULL;
}

static void run_threads(unsigned count, size_t operations)
{
    run(find_part(PLUMB_PART_SETUP, NULL), 0);
    pthread_barrier_init(&start, NULL, count);
    for (unsigned i = 0; i < count; i++) {
        struct thread *t = &threads[i];
        t->number = i + 1;
        t->random = t->random ? t->random : (i + 1) * 0x9e3779b97f4a7c15;
        t->count = operations / count + (i < operations % count);
        t->calls = malloc((t->count + 1) * sizeof *t->calls);
        memset(t->calls, 0, (t->count + 1) * sizeof *t->calls); /* no page is missing later */
        pthread_create(&t->id, NULL, loop, t);
    }
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i].id, NULL);
    run(find_part(PLUMB_PART_TEARDOWN, NULL), 0);
}

/* --- files ---------------------------------------------------------------------------------------------------------------- */

static bool save(const char *path, unsigned count)
{
    FILE *out = fopen(path, "wb");
    if (!out)
        return false;
    struct plumb_values *values = plumb_values_create();
    plumb_value names[] = {plumb_string(values, removes->name, strlen(removes->name)),
                           plumb_string(values, adds->name, strlen(adds->name))};
    struct binary_writer *w = binary_writer_create(out, values);
    binary_promise(w, 0);
    for (const struct thread *t = threads; t < threads + count; t++)
        for (const struct call *c = t->calls; c < t->calls + t->count; c++) {
            plumb_value thread = (plumb_value)t->number << 3;
            binary_write_call(w, thread, PLUMB_NONE, names[c->argument != PLUMB_OK], c->argument,
                              (int64_t)c->called);
            binary_write_return(w, thread, c->result, (int64_t)c->returned);
        }
    bool good = binary_close(w);
    plumb_values_destroy(values);
    return fclose(out) == 0 && good;
}

static void record(const char *folder, unsigned count, size_t operations, unsigned repeat)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%zu.%u.bin", folder, operations, repeat);
    run_threads(count, operations);
    if (!save(path, count)) {
        perror(path);
        exit(2);
    }
    for (unsigned i = 0; i < count; i++)
        free(threads[i].calls);
}

int main(int argc, char **argv)
{
    unsigned count = argc > 2 ? (unsigned)atoi(argv[2]) : 0, repeats = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
    char why[256];
    if (argc < 5 || !count || count > THREADS_MAX) {
        fprintf(stderr, "usage: record_runs FOLDER THREADS REPEATS OPERATIONS...\n");
        return 2;
    }
    adds =
        find_part(PLUMB_PART_OP, "push") ? find_part(PLUMB_PART_OP, "push") : find_part(PLUMB_PART_OP, "enq");
    removes =
        find_part(PLUMB_PART_OP, "pop") ? find_part(PLUMB_PART_OP, "pop") : find_part(PLUMB_PART_OP, "deq");
    stamps = stamps_choose(false, why, sizeof why);
    for (int i = 4; i < argc; i++)
        for (unsigned repeat = 0; repeat < repeats; repeat++)
            record(argv[1], count, (size_t)atol(argv[i]), repeat);
    return 0;
}
