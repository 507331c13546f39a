/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_recorder.h"

#include "formats/binary.h"
#include "history/jsonl.h"
#include "stress/stress_judge.h"
#include "stress/stress_merge.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct stress_recorder {
    const struct stress_harness *harness;
    FILE *file;
    struct binary_writer *binary; /* null: JSON lines */
    struct history *names;        /* values and names of what is written */
    struct stress_merge merge;
    uint64_t round;
    plumb_value objects[STRESS_OPERATIONS_MAX]; /* of this round, for each operation */
    plumb_value op_names[STRESS_OPERATIONS_MAX];
    /* Rounds come one after the other, also where each has a clock of its own. */
    int64_t begin, base, last;
};

static bool is_binary(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".bin");
}

struct stress_recorder *stress_recorder_open(const char *path, const struct stress_harness *h)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return NULL;
    struct stress_recorder *r = NEW(struct stress_recorder);
    r->harness = h;
    r->file = file;
    r->names = history_create();
    if (is_binary(path))
        r->binary = binary_writer_create(file, r->names->values);
    for (size_t k = 0; k < h->operations.len; k++) {
        const char *name = h->operations.data[k].part->name;
        r->op_names[k] = plumb_string(r->names->values, name, strlen(name));
    }
    return r;
}

static void begin_round(struct stress_recorder *r, const struct stress_log *log, uint64_t round)
{
    r->round = round;
    r->begin = r->last + 1;
    r->base = stress_log_base(log);
    for (size_t k = 0; k < r->harness->operations.len; k++)
        r->objects[k] = stress_object_name(
            r->names->values, r->harness->objects.data[r->harness->operations.data[k].object].name, round);
}

static int64_t stamp(struct stress_recorder *r, int64_t time)
{
    int64_t t = time - r->base + r->begin;
    r->last = t > r->last ? t : r->last;
    return t;
}

static void write_line(struct stress_recorder *r, const struct stress_log *log, const struct stress_call *c)
{
    struct history *h = r->names;
    const char *name = r->harness->operations.data[c->operation].part->name;
    struct history_op op = {.call = stamp(r, c->call),
                            .ret = stamp(r, c->ret),
                            .arg = stress_value_copy(log->values, c->argument, h->values),
                            .result = stress_value_copy(log->values, c->result, h->values),
                            .thread = history_thread(h, plumb_int(h->values, c->thread)),
                            .op = history_op_name(h, name, strlen(name))};
    history_add(h, op, history_object(h, r->objects[c->operation]));
    jsonl_write_op(r->file, h, h->ops.len - 1);
    vec_clear(&h->ops);
    vec_clear(&h->objects);
}

static void write_event(struct stress_recorder *r, const struct stress_log *log,
                        const struct stress_cursor *event)
{
    struct plumb_values *values = r->names->values;
    const struct stress_call *c = event->at;
    plumb_value thread = plumb_int(values, c->thread);
    if (event->returns)
        binary_write_return(r->binary, thread, stress_value_copy(log->values, c->result, values),
                            stamp(r, c->ret));
    else
        binary_write_call(r->binary, thread, r->objects[c->operation], r->op_names[c->operation],
                          stress_value_copy(log->values, c->argument, values), stamp(r, c->call));
}

void stress_recorder_add(struct stress_recorder *r, const struct stress_log *log, size_t from, uint64_t round)
{
    if (round != r->round)
        begin_round(r, log, round);
    if (!r->binary) {
        for (size_t i = from; i < log->calls.len; i++)
            write_line(r, log, &log->calls.data[i]);
        return;
    }
    stress_merge_begin(&r->merge, log, from);
    for (const struct stress_cursor *e; (e = stress_merge_first(&r->merge)); stress_merge_next(&r->merge))
        write_event(r, log, e);
}

bool stress_recorder_close(struct stress_recorder *r)
{
    if (!r)
        return true;
    bool written = !r->binary || binary_close(r->binary);
    written = !ferror(r->file) && written;
    written = fclose(r->file) == 0 && written;
    int error = errno;
    history_destroy(r->names);
    vec_free(&r->merge.heap);
    free(r);
    errno = error;
    return written;
}
