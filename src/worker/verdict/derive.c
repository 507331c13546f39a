/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/verdict/derive.h"

#include "base/text.h"
#include "history/value_text.h"
#include "spec/serial/observations.h"
#include "worker/verdict/verdict_history.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void derive_begin(struct derivation *d, struct plumb_values *values)
{
    *d = (struct derivation){0};
    serials_init(&d->serials, values);
    serials_init(&d->whole, values);
}

static uint32_t thread_named(struct serials *s, uint32_t name)
{
    uint32_t t = serials_find_thread(s, name);
    return t != SERIAL_NO_THREAD ? t : serials_add_thread(s, name);
}

void derive_add_op(struct derivation *d, uint32_t thread, const char *name, plumb_value arg, bool counts)
{
    uint32_t t = counts ? thread_named(&d->serials, thread) : SERIAL_NO_THREAD;
    if (counts)
        serials_add_op(&d->serials, t, name, arg);
    vec_push(&d->thread_of, t);
    vec_push(&d->thread_of_whole, thread_named(&d->whole, thread));
    d->is_part |= !counts;
}

bool derive_is_needed(const struct derivation *d)
{
    return d->serials.threads.len > 0;
}

static void add_execution(struct derivation *d, struct serials *to, const uint32_t *thread_of,
                          const struct derived_execution *x)
{
    vec_clear(&d->steps);
    for (size_t i = 0; i < x->count; i++) {
        uint32_t thread = thread_of[x->returned[i]];
        if (thread != SERIAL_NO_THREAD)
            vec_push(&d->steps, ((struct serial_step){thread, x->results[x->returned[i]]}));
    }
    uint32_t waiting = x->called == UINT32_MAX ? SERIAL_NO_THREAD : thread_of[x->called];
    serials_add(to, d->steps.data, d->steps.len, waiting);
}

void derive_execution(struct derivation *d, const struct derived_execution *x)
{
    add_execution(d, &d->serials, d->thread_of.data, x);
    if (d->is_part)
        add_execution(d, &d->whole, d->thread_of_whole.data, x);
}

bool derive_stands_alone(const struct derivation *d)
{
    struct serial_difference found = {0};
    bool alone = !d->is_part || !serials_find_difference(&d->serials, &found);
    vec_free(&found.before);
    if (alone)
        return true;
    alone = serials_find_difference(&d->whole, &found); /* they are not deterministic anyway */
    vec_free(&found.before);
    return alone;
}

/* ------------------------------------------------------------------ files */

static bool cannot(struct diagnostic *why, const char *what, const char *path)
{
    return diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot %s '%s': %s", what, path, strerror(errno));
}

bool derive_read(struct derivation *d, const char *path, struct diagnostic *why)
{
    OWNED struct text all = {0};
    if (!text_add_file(&all, path))
        return cannot(why, "read", path);
    return observations_read(&d->serials, true, &d->names, all.data, all.len, why);
}

static bool write_file(const struct derivation *d, const char *path, struct diagnostic *why)
{
    FILE *out = fopen(path, "we");
    if (!out)
        return cannot(why, "write", path);
    observations_write(out, &d->serials);
    bool failed = ferror(out);
    return fclose(out) == 0 && !failed ? true : cannot(why, "write", path);
}

bool derive_end(struct derivation *d, struct worker_shared *shared, struct diagnostic *why)
{
    shared->serial_complete = d->serials.complete;
    shared->serial_stuck = d->serials.stuck;
    const char *path = shared->config.serials_out;
    return !*path || write_file(d, path, why);
}

/* ------------------------------------------------------------------ nondeterminism */

static void add_op(struct text *out, const struct serials *s, uint32_t *done, uint32_t thread)
{
    const struct serial_op *op = &s->threads.data[thread].ops.data[done[thread]++];
    text_puts(out, op->name);
    text_puts(out, "(");
    if (op->arg != PLUMB_OK)
        value_print_short(out, s->values, op->arg);
    text_puts(out, ")");
}

static void add_answer(struct text *out, const struct serials *s, plumb_value v)
{
    if (v == PLUMB_OK)
        text_puts(out, "returns");
    else {
        text_puts(out, "returns ");
        value_print_short(out, s->values, v);
    }
}

bool derive_find_difference(const struct derivation *d, struct text *out)
{
    const struct serials *s = &d->serials;
    struct serial_difference found;
    bool differs = serials_find_difference(s, &found);
    if (differs) {
        uint32_t done[SERIAL_THREADS_MAX] = {0};
        OWNED struct text before = {0};
        for (size_t i = 0; i < found.before.len; i++) {
            text_puts(&before, i ? ", " : "");
            add_op(&before, s, done, found.before.data[i].thread);
            if (found.before.data[i].result != PLUMB_OK) {
                text_puts(&before, " = ");
                value_print_short(&before, s->values, found.before.data[i].result);
            }
        }
        text_puts(out, "one after the other, ");
        add_op(out, s, done, found.thread);
        text_printf(out, " by thread %u ", s->threads.data[found.thread].name);
        add_answer(out, s, found.first);
        text_puts(out, " in one run and ");
        if (found.second_waits)
            text_puts(out, "waits forever");
        else
            add_answer(out, s, found.second);
        text_puts(out, " in another");
        if (before.len)
            text_printf(out, ", after %s in both", before.data);
    }
    vec_free(&found.before);
    return differs;
}

bool derive_is_nondeterministic(const struct derivation *d, struct worker_shared *shared)
{
    OWNED struct text t = {0};
    bool differs = derive_find_difference(d, &t);
    if (differs)
        judge_report_error(shared, WORKER_ERROR_NONDETERMINISTIC, "%s", t.data);
    return differs;
}
