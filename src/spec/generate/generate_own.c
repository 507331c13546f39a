/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/generate/generate.h"

#include "base/memory.h"
#include "history/value_text.h"
#include "spec/registry.h"

#include <inttypes.h>

/* An operation that has waited for so long turns into another one: as it had no effect yet, that makes no difference. */
enum { PATIENCE = 64, PATIENCE_OF_ALL = 100000, CHOICES_MOST = 8 };

enum phase { IDLE, CALLED, EFFECTIVE };

struct own_thread {
    enum phase phase;
    unsigned waited;
    uint64_t called;
    struct plumb_call call;
    plumb_value result;
};

struct own_run {
    struct spec_sampler sampler;
    void *state;
    struct own_thread *threads;
    uint32_t thread_count;
    uint64_t left, clock,
        vain; /* operations to call, time, attempts since the last one that was not in vain */
    FILE *out;
};

/* One of the outcomes, or of the first few. */
static bool take_effect(struct own_run *r, struct own_thread *t)
{
    const struct plumb_spec *spec = r->sampler.spec;
    uint32_t choices = 0;
    bool more = true;
    while (more && choices < CHOICES_MOST) {
        void *trial = spec->clone(r->state);
        more = spec->step(trial, &t->call, choices, NULL);
        spec->destroy(trial);
        choices += more;
    }
    t->result = PLUMB_OK;
    return choices &&
           spec->step(r->state, &t->call, (unsigned)spec_sample_number(&r->sampler, choices), &t->result);
}

static void write_op(struct own_run *r, uint32_t thread, const struct own_thread *t)
{
    OWNED struct text line = {0};
    text_printf(&line, "{\"thread\":%" PRIu32 ",\"op\":\"%s\"", thread + 1,
                r->sampler.spec->operations[t->call.op].name);
    if (t->call.arg != PLUMB_OK) {
        text_puts(&line, ",\"arg\":");
        value_print(&line, r->sampler.values, t->call.arg);
    }
    if (t->result != PLUMB_OK) {
        text_puts(&line, ",\"result\":");
        value_print(&line, r->sampler.values, t->result);
    }
    text_printf(&line, ",\"call\":%" PRIu64 ",\"return\":%" PRIu64 "}\n", t->called, ++r->clock);
    fwrite(line.data, 1, line.len, r->out);
}

static void choose_call(struct own_run *r, uint32_t thread, struct own_thread *t)
{
    t->call = spec_sample_call(&r->sampler, 1);
    t->call.thread = thread;
    t->waited = 0;
}

/* Lets a thread do what comes next. False: it has nothing to do any more. */
static bool go_on(struct own_run *r, uint32_t thread)
{
    struct own_thread *t = &r->threads[thread];
    if (t->phase == IDLE && !r->left)
        return false;
    if (t->phase == IDLE) {
        r->left--;
        choose_call(r, thread, t);
        t->called = ++r->clock;
        t->phase = CALLED;
    } else if (t->phase == EFFECTIVE) {
        write_op(r, thread, t);
        t->phase = IDLE;
    } else if (take_effect(r, t)) {
        t->phase = EFFECTIVE;
        r->vain = 0;
    } else {
        r->vain++;
        if (++t->waited > PATIENCE)
            choose_call(r, thread, t);
    }
    return true;
}

static bool run_all(struct own_run *r)
{
    uint32_t busy = r->thread_count;
    OWNED uint32_t *numbers = NEW_ARRAY(uint32_t, busy);
    for (uint32_t i = 0; i < busy; i++)
        numbers[i] = i;
    while (busy && r->vain < PATIENCE_OF_ALL) {
        uint32_t i = (uint32_t)spec_sample_number(&r->sampler, busy);
        if (!go_on(r, numbers[i]))
            numbers[i] = numbers[--busy];
    }
    return !busy;
}

bool generate_own_history(const struct plumb_spec *spec, const struct generate_settings *settings, FILE *out)
{
    struct plumb_values *values = plumb_values_create();
    struct own_run r = {.sampler = {.spec = spec, .values = values, .random = settings->seed},
                        .thread_count = settings->threads ? settings->threads : 1,
                        .left = settings->ops,
                        .out = out};
    r.state = spec_init(spec, &(struct plumb_spec_options){values, PLUMB_OK});
    r.threads = NEW_ZEROED(struct own_thread, r.thread_count);
    bool done = run_all(&r);
    free(r.threads);
    spec->destroy(r.state);
    plumb_values_destroy(values);
    return done;
}
