/* SPDX-License-Identifier: Apache-2.0 */
/* Random histories, judged as a stream of events, as a file, and by the general search alone: the verdicts have to be
 * the same. Half of them are of containers that are hardly ever empty.
 *   stream_compare [--count N] [--seed S] */
#include "monitor/container.h"
#include "monitor/stream.h"
#include "spec/registry.h"

#include <stdio.h>
#include <string.h>

enum { THREADS = 4, OPS_MOST = 24, BUSY_OPS_MOST = 32, MEMORY_MOST = 16 << 20 };

static uint64_t random_state;

static uint32_t below(uint32_t bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 20) % bound);
}

static const char *const specs[] = {"queue", "stack", "pqueue",   "bag",     "deque",    "set",
                                    "map",   "kv",    "register", "counter", "multiset", "lock"};

/* Containers that can be followed although they are never empty. */
static const char *const busy_specs[] = {"queue", "stack", "queue", "stack", "pqueue", "queue", "bag"};

/* How a busy container is used: shares in percent, and one in so many. */
struct usage {
    uint32_t additions, looks, first; /* `first`: so many operations only add */
    uint32_t repeat, crash, unknown;
    uint32_t look_at_stream;
};

struct trial {
    const struct plumb_spec *spec;
    bool busy;
    struct usage usage;
    struct history *names, *file; /* the second has the operations, too */
    struct plumb_spec_options options;
    void *state, *before; /* now, and some steps ago */
    int64_t clock;
    int64_t fresh;
    struct {
        uint32_t index; /* operation in the file + 1; 0: idle */
        bool done, crashed;
        plumb_value result;
    } threads[THREADS];
    VEC(struct history_event) events;
    size_t most_kept; /* operations of the stream at one time */
};

static plumb_value random_item(struct trial *t, char letter)
{
    struct plumb_values *values = t->file->values;
    switch (letter) {
    case 's': return plumb_string(values, &"abc"[below(3)], 1);
    case 'i':
    case 'n': return plumb_int(values, 1 + below(3));
    default: return plumb_int(values, below(t->usage.repeat) ? ++t->fresh : 1 + below(4));
    }
}

/* Keys come first, and are few. */
static plumb_value random_arg(struct trial *t, const struct plumb_operation *o)
{
    plumb_value items[4];
    size_t count = strlen(o->args);
    for (size_t k = 0; k < count; k++)
        items[k] =
            t->spec->key && k == 0 ? plumb_int(t->file->values, 1 + below(2)) : random_item(t, o->args[k]);
    return count > 1 ? plumb_array(t->file->values, items, count) : count ? items[0] : PLUMB_OK;
}

static struct plumb_call call_of(const struct trial *t, uint32_t thread)
{
    const struct history_op *op = &t->file->ops.data[t->threads[thread].index - 1];
    return (struct plumb_call){spec_operation(t->spec, t->file->op_names.data[op->op]), thread, op->arg,
                               PLUMB_ANY};
}

static const struct plumb_operation *random_operation(const struct trial *t)
{
    const struct usage *u = &t->usage;
    if (!t->busy)
        return &t->spec->operations[below(t->spec->operation_count)];
    enum container_role role = below(100) < u->additions || t->file->ops.len < u->first ? ROLE_ADD
                               : below(100) < u->looks                                  ? ROLE_PEEK
                                                                                        : ROLE_REMOVE;
    uint32_t op = 0;
    for (uint32_t k = 0; k < t->spec->operation_count; k++)
        if (container_role_of(t->spec, k) == role)
            op = k;
    return &t->spec->operations[op];
}

static void begin(struct trial *t, uint32_t thread)
{
    const struct plumb_operation *o = random_operation(t);
    struct history_event e = {.time = t->clock,
                              .arg = random_arg(t, o),
                              .result = PLUMB_OK,
                              .thread = thread,
                              .op = history_op_name(t->file, o->name, strlen(o->name)),
                              .line = t->events.len + 1};
    struct history_op op = {.call = e.time,
                            .ret = INT64_MAX,
                            .arg = e.arg,
                            .result = PLUMB_ANY,
                            .thread = thread,
                            .op = e.op,
                            .pending = 1};
    vec_push(&t->events, e);
    history_add(t->file, op, 0);
    t->threads[thread].index = (uint32_t)t->file->ops.len;
    t->threads[thread].done = false;
}

/* The answer of another moment now and then: a lie that may or may not be noticed. */
static void end(struct trial *t, uint32_t thread, bool lies)
{
    struct history_op *op = &t->file->ops.data[t->threads[thread].index - 1];
    struct plumb_call call = call_of(t, thread);
    plumb_value result = t->threads[thread].result, other;
    void *state = t->spec->clone(below(2) ? t->state : t->before);
    if (lies && below(t->busy ? 12 : 4) == 0 && t->spec->step(state, &call, 0, &other))
        result = other;
    t->spec->destroy(state);
    if (t->busy && lies && below(20) == 0 && container_role_of(t->spec, call.op) != ROLE_ADD)
        result = below(2) ? PLUMB_NONE : plumb_int(t->file->values, 1 + below((uint32_t)t->fresh + 1));
    if (below(t->usage.unknown) == 0)
        result = PLUMB_ANY;
    op->ret = t->clock;
    op->result = result;
    op->pending = 0;
    struct history_event e = {.time = t->clock,
                              .arg = PLUMB_OK,
                              .result = result,
                              .thread = thread,
                              .is_return = true,
                              .line = t->events.len + 1};
    vec_push(&t->events, e);
    t->threads[thread].index = 0;
}

static void simulate(struct trial *t)
{
    uint32_t ops = 1 + below(t->busy ? BUSY_OPS_MOST : OPS_MOST), rest = below(4);
    bool lies = below(2), ties = below(3) == 0;
    for (uint32_t steps = 0; steps < 400; steps++) {
        uint32_t thread = below(THREADS);
        if (below(6) == 0) {
            t->spec->destroy(t->before);
            t->before = t->spec->clone(t->state);
        }
        t->clock += !(ties && below(4));
        if (!t->threads[thread].index) {
            if (t->file->ops.len < ops && below(1 + rest) == 0)
                begin(t, thread);
        } else if (t->threads[thread].crashed) {
            continue;
        } else if (!t->threads[thread].done) {
            struct plumb_call call = call_of(t, thread);
            t->threads[thread].done = t->spec->step(t->state, &call, 0, &t->threads[thread].result);
        } else if (t->usage.crash && below(t->usage.crash) == 0) {
            t->threads[thread].crashed = true;
        } else {
            end(t, thread, lies);
        }
    }
}

static struct usage random_usage(bool busy)
{
    if (!busy)
        return (struct usage){.repeat = 5, .unknown = 40, .look_at_stream = 8};
    return (struct usage){.additions = 35 + below(25),
                          .looks = below(2) ? 0 : below(60),
                          .first = below(4),
                          .repeat = below(3) ? 1000 : 6,
                          .crash = below(3) ? 0 : 30,
                          .unknown = below(4) ? 100000 : 60,
                          .look_at_stream = 1 + below(4)};
}

/* The names of both histories agree, and the values are the same ones. */
static struct trial create_trial(const struct plumb_spec *spec, bool busy)
{
    struct trial t = {.spec = spec, .busy = busy, .names = history_create(), .file = history_create()};
    t.usage = random_usage(busy);
    t.options = (struct plumb_spec_options){.values = t.file->values, .initial = PLUMB_OK};
    plumb_values_destroy(t.names->values);
    t.names->values = t.file->values;
    for (uint32_t k = 0; k < THREADS; k++) {
        history_thread(t.file, plumb_int(t.file->values, k));
        history_thread(t.names, plumb_int(t.file->values, k));
    }
    for (uint32_t k = 0; k < spec->operation_count; k++) {
        history_op_name(t.file, spec->operations[k].name, strlen(spec->operations[k].name));
        history_op_name(t.names, spec->operations[k].name, strlen(spec->operations[k].name));
    }
    history_object(t.file, PLUMB_NONE);
    history_object(t.names, PLUMB_NONE);
    t.state = spec_init(spec, &t.options);
    t.before = spec_init(spec, &t.options);
    return t;
}

static void destroy_trial(struct trial *t)
{
    t->spec->destroy(t->state);
    t->spec->destroy(t->before);
    t->names->values = NULL;
    history_destroy(t->names);
    history_destroy(t->file);
    vec_free(&t->events);
}

static enum verdict judge_file(struct trial *t, bool only_general, struct diagnostic *d)
{
    struct budget budget = budget_start(0, MEMORY_MOST);
    struct monitor_settings settings = {
        .options = &t->options, .specs = &t->spec, .budget = &budget, .only_general = only_general};
    struct monitor_result result;
    enum verdict verdict = VERDICT_INCONCLUSIVE;
    if (monitor_history(t->file, &settings, &result, d)) {
        verdict = result.verdict;
        monitor_result_free(&result);
    }
    return verdict;
}

static enum verdict judge_stream(struct trial *t, struct diagnostic *d)
{
    struct budget budget = budget_start(0, MEMORY_MOST);
    struct stream *s = stream_create(t->names, &(struct stream_settings){&t->options, &budget});
    struct monitor_result result;
    stream_set_spec(s, 0, t->spec);
    for (size_t k = 0; k < t->events.len && !d->code; k++) {
        stream_event(s, &t->events.data[k], d);
        if (below(t->usage.look_at_stream) == 0)
            stream_look(s);
        t->most_kept = stream_stats(s).kept > t->most_kept ? stream_stats(s).kept : t->most_kept;
    }
    stream_finish(s, true, &result);
    stream_destroy(s);
    enum verdict verdict = result.verdict;
    monitor_result_free(&result);
    return verdict;
}

static void show(const struct trial *t)
{
    for (size_t k = 0; k < t->events.len; k++) {
        const struct history_event *e = &t->events.data[k];
        fprintf(stderr, "  %lld thread %u %s %llx\n", (long long)e->time, e->thread,
                e->is_return ? "return" : t->file->op_names.data[e->op],
                (unsigned long long)(e->is_return ? e->result : e->arg));
    }
}

/* What all trials came to. */
struct totals {
    uint64_t verdicts[3], ties, busy, operations, kept;
};

static bool compare(struct trial *t, uint64_t n, struct totals *totals)
{
    struct diagnostic d = {0};
    enum verdict stream = judge_stream(t, &d), file = stream, general = stream;
    if (t->file->ops.len && !d.code && spec_bind(t->file, &t->spec, &d)) {
        file = judge_file(t, false, &d);
        general = judge_file(t, true, &d);
    }
    totals->ties += stream != file;
    totals->verdicts[stream]++;
    totals->busy += t->busy;
    totals->operations += t->busy ? t->file->ops.len : 0;
    totals->kept += t->busy ? t->most_kept : 0;
    /* Ties of several threads are beyond a stream, which says so. */
    bool searched = general == file || general == VERDICT_INCONCLUSIVE || file == VERDICT_INCONCLUSIVE;
    if (!d.code && searched && (stream == file || stream == VERDICT_INCONCLUSIVE || file == VERDICT_INCONCLUSIVE))
        return true;
    fprintf(stderr, "history %llu (%s): stream %s, file %s, general search %s %s\n", (unsigned long long)n,
            t->spec->name, verdict_name(stream), verdict_name(file), verdict_name(general), d.message);
    show(t);
    return false;
}

int main(int argc, char **argv)
{
    uint64_t count = 1000, seed = 1;
    struct totals totals = {0};
    for (int k = 1; k + 1 < argc; k += 2)
        *(strcmp(argv[k], "--count") ? &seed : &count) = strtoull(argv[k + 1], NULL, 10);
    bool same = true;
    for (uint64_t n = 0; n < count && same; n++) {
        random_state = (seed * 1000003 + n) * 0x9e3779b97f4a7c15u + 1;
        const char *spec = n % 2 ? busy_specs[n / 2 % (sizeof busy_specs / sizeof *busy_specs)]
                                 : specs[n / 2 % (sizeof specs / sizeof *specs)];
        struct trial t = create_trial(spec_find(spec), n % 2);
        simulate(&t);
        same = compare(&t, n, &totals);
        destroy_trial(&t);
    }
    printf("%llu histories: %llu hold, %llu violated, %llu with ties that only a file decides\n",
           (unsigned long long)count, (unsigned long long)totals.verdicts[0],
           (unsigned long long)totals.verdicts[1], (unsigned long long)totals.ties);
    printf("%llu busy containers: %llu operations, of which at most %llu were kept\n",
           (unsigned long long)totals.busy, (unsigned long long)totals.operations,
           (unsigned long long)totals.kept);
    return same && totals.verdicts[0] && totals.verdicts[1] && totals.ties * 10 < count ? 0 : 1;
}
