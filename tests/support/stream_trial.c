/* SPDX-License-Identifier: Apache-2.0 */
#include "stream_trial.h"

#include "monitor/container/container.h"

#include <string.h>

uint64_t stream_random;

uint32_t stream_below(uint32_t bound)
{
    stream_random ^= stream_random << 13;
    stream_random ^= stream_random >> 7;
    stream_random ^= stream_random << 17;
    return (uint32_t)((stream_random >> 20) % bound);
}

static uint32_t below(uint32_t bound)
{
    return stream_below(bound);
}

enum { OPS_MOST = 24, BUSY_OPS_MOST = 32, SCATTERED_MOST = 13 };

static const char *const specs[] = {"queue", "stack", "pqueue",   "bag",     "deque",    "set",
                                    "map",   "kv",    "register", "counter", "multiset", "lock"};

/* Containers that can be followed although they are never empty. */
static const char *const busy_specs[] = {"queue", "stack", "queue", "stack", "pqueue", "queue", "bag"};

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
    const struct history_op *op = history_at(t->file, t->threads[thread].index - 1);
    return (struct plumb_call){spec_operation(t->spec, t->file->op_names.data[op->op]), thread, op->arg,
                               PLUMB_ANY};
}

static const struct plumb_operation *operation_of(const struct trial *t, enum plumb_role role)
{
    for (uint32_t k = 0; k < t->spec->operation_count; k++)
        if (t->spec->operations[k].role == role)
            return &t->spec->operations[k];
    return operation_of(t, PLUMB_REMOVES); /* bags have no looks */
}

static const struct plumb_operation *random_operation(const struct trial *t)
{
    const struct usage *u = &t->usage;
    if (!t->busy)
        return &t->spec->operations[below(t->spec->operation_count)];
    enum plumb_role role = below(100) < u->additions || t->file->ops.len < u->first ? PLUMB_ADDS
                           : below(100) < u->looks                                  ? PLUMB_LOOKS
                                                                                    : PLUMB_REMOVES;
    return operation_of(t, role);
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
    struct history_op *op = history_change(t->file, t->threads[thread].index - 1);
    struct plumb_call call = call_of(t, thread);
    plumb_value result = t->threads[thread].result, other;
    void *state = t->spec->clone(below(2) ? t->state : t->before);
    if (lies && below(t->busy ? 12 : 4) == 0 && t->spec->step(state, &call, 0, &other))
        result = other;
    t->spec->destroy(state);
    if (t->busy && lies && below(20) == 0 && t->spec->operations[call.op].role != PLUMB_ADDS)
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
        uint32_t thread = below(TRIAL_THREADS);
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

/* ---- scattered operations ---- */

/* A legal order, in which every operation is spread around its place, and some are moved away from it. Each has a thread
 * of its own. */
struct scattered {
    int64_t call, ret;
    const struct plumb_operation *operation;
    plumb_value arg, result;
    uint32_t index;
    bool pending;
};

static struct scattered scatter_one(struct trial *t, uint32_t k, uint32_t spread, bool moves)
{
    struct scattered x = {.operation = random_operation(t)};
    x.arg = random_arg(t, x.operation);
    struct plumb_call call = {spec_operation(t->spec, x.operation->name), k, x.arg, PLUMB_ANY};
    t->spec->step(t->state, &call, 0, &x.result);
    int64_t middle = 10 * (int64_t)k + (moves && below(4) == 0 ? (int64_t)below(60) - 30 : 0);
    x.call = middle - below(4 + spread * (1 + 2 * (below(6) == 0)));
    x.ret = middle + below(4 + spread * (1 + 3 * (below(6) == 0)));
    x.pending = t->usage.crash && below(8) == 0;
    if (below(t->usage.unknown) == 0)
        x.result = PLUMB_ANY;
    return x;
}

struct moment {
    int64_t time;
    uint32_t op;
    bool is_return;
};

static int compare_moments(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->is_return - y->is_return;
}

static void play(struct trial *t, struct scattered *x, const struct moment *m)
{
    struct history_event e = {.time = m->time,
                              .arg = m->is_return ? PLUMB_OK : x->arg,
                              .result = m->is_return ? x->result : PLUMB_OK,
                              .thread = m->op,
                              .is_return = m->is_return,
                              .op = history_op_name(t->file, x->operation->name, strlen(x->operation->name)),
                              .line = t->events.len + 1};
    vec_push(&t->events, e);
    if (!m->is_return) {
        struct history_op op = {.call = e.time,
                                .ret = INT64_MAX,
                                .arg = e.arg,
                                .result = PLUMB_ANY,
                                .thread = e.thread,
                                .op = e.op,
                                .pending = 1};
        x->index = (uint32_t)t->file->ops.len;
        history_add(t->file, op, 0);
        return;
    }
    history_change(t->file, x->index)->ret = e.time;
    history_change(t->file, x->index)->result = e.result;
    history_change(t->file, x->index)->pending = 0;
}

static int64_t random_length(bool is_long)
{
    return is_long ? below(40) : below(4) ? below(5) : below(25);
}

/* Values that come and go one after the other, so that hardly ever none is inside, and a few long answers. */
static uint32_t make_chain(struct trial *t, struct scattered *ops)
{
    uint32_t values = 3 + below(2), more = 1 + below(2), count = 0, pace = 3 + below(4);
    for (uint32_t k = 0; k < values; k++) {
        struct scattered add = {.call = pace * k + below(4), .operation = operation_of(t, PLUMB_ADDS)};
        struct scattered out = {.call = add.call + 2 + below(2 * pace),
                                .operation = operation_of(t, PLUMB_REMOVES)};
        add.result = out.arg = PLUMB_OK;
        add.arg = out.result = random_item(t, 'v');
        add.ret = add.call + (below(8) ? below(4) : below(20));
        if (below(5) == 0)
            out.call = below(20);
        out.ret = out.call + (below(5) ? below(3) : below(30));
        out.pending = below(10) == 0;
        ops[count++] = add;
        ops[count++] = out;
    }
    for (uint32_t k = 0; k < more; k++) {
        struct scattered x = {
            .call = below(12), .operation = operation_of(t, PLUMB_REMOVES), .arg = PLUMB_OK};
        x.result = PLUMB_NONE;
        x.ret = x.call + below(40);
        x.pending = below(6) == 0;
        ops[count++] = x;
    }
    return count;
}

/* A few values, each with an addition and most with a removal, and answers "empty", anywhere: legal or not by chance. */
static uint32_t make_wild(struct trial *t, struct scattered *ops)
{
    bool patient = below(3) == 0; /* removals and looks take long */
    bool late = below(2);         /* some values leave soon, the others when all is over */
    uint32_t values = 2 + below(3), empties = below(3), looks = t->usage.looks ? below(4) : 0, count = 0;
    for (uint32_t k = 0; k < values; k++) {
        struct scattered add = {
            .call = below(25), .operation = operation_of(t, PLUMB_ADDS), .result = PLUMB_OK};
        struct scattered out = {.call = add.call + below(28) - 3,
                                .operation = operation_of(t, PLUMB_REMOVES)};
        if (late)
            out.call = below(2) ? add.call + below(12) : 28 + below(15);
        add.arg = out.result = random_item(t, 'v');
        out.arg = PLUMB_OK;
        ops[count++] = add;
        if (below(6))
            ops[count++] = out;
    }
    for (uint32_t k = 0; k < empties + looks; k++) {
        enum plumb_role role = below(4) && k >= looks ? PLUMB_REMOVES : PLUMB_LOOKS;
        plumb_value answer = k < looks ? ops[below(count)].result : PLUMB_NONE;
        ops[count++] = (struct scattered){.call = below(45),
                                          .operation = operation_of(t, role),
                                          .arg = PLUMB_OK,
                                          .result = answer == PLUMB_OK ? PLUMB_NONE : answer};
    }
    for (uint32_t k = 0; k < count; k++) {
        bool is_long = patient && ops[k].result != PLUMB_OK;
        ops[k].call -= is_long ? below(15) : 0;
        ops[k].ret = ops[k].call + random_length(is_long);
        ops[k].pending = below(12) == 0;
    }
    return count;
}

/* Histories that chance does not find: what is open for long decides late. All are violated. */
struct crafted {
    const char *spec;
    struct {
        enum plumb_role role;
        int value; /* 0: empty */
        int64_t call, ret;
    } ops[SCATTERED_MOST];
};

enum { NEVER = 1000 };

static const struct crafted crafted[] = {
    /* 1, 2, 3 and 4 in turn cover an answer "empty" that is open while the others come and go. */
    {"queue",
     {{PLUMB_ADDS, 1, 0, 1},
      {PLUMB_REMOVES, 0, 2, 50},
      {PLUMB_ADDS, 4, 15, 39},
      {PLUMB_ADDS, 3, 16, 22},
      {PLUMB_ADDS, 2, 17, 18},
      {PLUMB_REMOVES, 1, 20, 21},
      {PLUMB_REMOVES, 2, 25, 52},
      {PLUMB_REMOVES, 3, 40, 41},
      {PLUMB_ADDS, 5, 43, 60}}},
    /* "empty" among 1, 2 and 3; it becomes impossible when the open removal turns out not to have taken 3. */
    {"queue",
     {{PLUMB_ADDS, 1, 0, 1},
      {PLUMB_REMOVES, 0, 2, 20},
      {PLUMB_ADDS, 2, 3, 4},
      {PLUMB_ADDS, 3, 5, 9},
      {PLUMB_REMOVES, 1, 6, 7},
      {PLUMB_ADDS, 4, 8, 30},
      {PLUMB_REMOVES, 2, 10, 11},
      {PLUMB_REMOVES, 4, 12, 40},
      {PLUMB_ADDS, 5, 25, 26}}},
    /* Two answers "empty", one of which can be late enough for the second open removal. */
    {"queue",
     {{PLUMB_ADDS, 1, 0, 1},
      {PLUMB_ADDS, 2, 0, 65},
      {PLUMB_REMOVES, 0, 2, 60},
      {PLUMB_REMOVES, 2, 5, 70},
      {PLUMB_REMOVES, 0, 10, 20},
      {PLUMB_REMOVES, 1, 30, NEVER},
      {PLUMB_ADDS, 3, 61, 62}}},
    /* The removals reveal that 2 lies above 3, but 1 was inside when both were being added. */
    {"stack",
     {{PLUMB_ADDS, 3, 0, 10},
      {PLUMB_ADDS, 1, 5, 6},
      {PLUMB_ADDS, 2, 8, 20},
      {PLUMB_REMOVES, 1, 14, 15},
      {PLUMB_REMOVES, 3, 30, 31},
      {PLUMB_REMOVES, 2, 32, 33}}},
    /* 1 was seen before 2 was added, so it lies below; a later look at 1 does not say so. */
    {"stack",
     {{PLUMB_ADDS, 1, 0, 30},
      {PLUMB_LOOKS, 1, 5, 10},
      {PLUMB_LOOKS, 1, 11, 20},
      {PLUMB_ADDS, 2, 12, 14},
      {PLUMB_ADDS, 3, 35, 50},
      {PLUMB_REMOVES, 1, 40, 41},
      {PLUMB_REMOVES, 2, 42, 43}}},
    /* 1 was seen after 2 had been added, so it lies above; an earlier look at 1 does not say so. */
    {"stack",
     {{PLUMB_ADDS, 1, 4, 12},
      {PLUMB_LOOKS, 1, 4, 14},
      {PLUMB_ADDS, 2, 5, 15},
      {PLUMB_LOOKS, 1, 20, 22},
      {PLUMB_ADDS, 3, 35, 50},
      {PLUMB_REMOVES, 2, 40, 41},
      {PLUMB_REMOVES, 1, 42, 43}}},
};

enum { CRAFTED = sizeof crafted / sizeof *crafted, CRAFTED_RUNS = 64 * CRAFTED };

static uint32_t make_crafted(struct trial *t, uint64_t n, struct scattered *ops)
{
    const struct crafted *c = &crafted[n % CRAFTED];
    uint32_t count = 0;
    t->usage.look_at_stream = 1 + (uint32_t)(n / CRAFTED) % 16;
    for (; count < SCATTERED_MOST && c->ops[count].ret; count++) {
        plumb_value value =
            c->ops[count].value ? plumb_int(t->file->values, c->ops[count].value) : PLUMB_NONE;
        bool adds = c->ops[count].role == PLUMB_ADDS;
        ops[count] = (struct scattered){.call = c->ops[count].call,
                                        .ret = c->ops[count].ret,
                                        .operation = operation_of(t, c->ops[count].role),
                                        .arg = adds ? value : PLUMB_OK,
                                        .result = adds ? PLUMB_OK : value,
                                        .pending = c->ops[count].ret == NEVER};
    }
    return count;
}

static uint32_t make_scattered(struct trial *t, struct scattered *ops)
{
    uint32_t count = 3 + below(9), spread = 5 + below(25);
    bool moves = below(3);
    for (uint32_t k = 0; k < count; k++)
        ops[k] = scatter_one(t, k, spread, moves);
    return count;
}

static void scatter(struct trial *t, struct scattered *ops, uint32_t count)
{
    struct moment moments[2 * SCATTERED_MOST];
    uint32_t n = 0;
    for (uint32_t k = 0; k < count; k++) {
        moments[n++] = (struct moment){ops[k].call, k, false};
        if (!ops[k].pending)
            moments[n++] = (struct moment){ops[k].ret, k, true};
    }
    qsort(moments, n, sizeof *moments, compare_moments);
    for (uint32_t k = 0; k < n; k++)
        play(t, &ops[moments[k].op], &moments[k]);
}

/* The names of both histories agree, and the values are the same ones. */
static struct trial start_trial(const struct plumb_spec *spec, bool busy)
{
    struct trial t = {.spec = spec, .busy = busy, .names = history_create(), .file = history_create()};
    t.usage = random_usage(busy);
    t.options = (struct plumb_spec_options){.values = t.file->values, .initial = PLUMB_OK};
    plumb_values_destroy(t.names->values);
    t.names->values = t.file->values;
    for (uint32_t k = 0; k < SCATTERED_MOST; k++) {
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

void destroy_trial(struct trial *t)
{
    t->spec->destroy(t->state);
    t->spec->destroy(t->before);
    t->names->values = NULL;
    history_destroy(t->names);
    history_destroy(t->file);
    vec_free(&t->events);
}

static void make_trial(struct trial *t, uint64_t n, bool wild)
{
    struct scattered ops[SCATTERED_MOST];
    if (n < CRAFTED_RUNS)
        scatter(t, ops, make_crafted(t, n, ops));
    else if (wild || (n % 4 >= 2 && n % 16 != 2))
        scatter(t, ops, below(2) ? make_chain(t, ops) : make_wild(t, ops));
    else if (n % 4 >= 2)
        scatter(t, ops, make_scattered(t, ops));
    else
        simulate(t);
}

static const char *spec_of(uint64_t n, const char *wild)
{
    if (n < CRAFTED_RUNS)
        return crafted[n % CRAFTED].spec;
    if (wild)
        return wild;
    return n % 4 ? busy_specs[n / 4 % (sizeof busy_specs / sizeof *busy_specs)]
                 : specs[n / 4 % (sizeof specs / sizeof *specs)];
}

bool trial_is_crafted(uint64_t n)
{
    return n < CRAFTED_RUNS;
}

struct trial create_trial(uint64_t n, const char *wild)
{
    struct trial t = start_trial(spec_find(spec_of(n, wild)), wild || n % 4 || n < CRAFTED_RUNS);
    make_trial(&t, n, wild);
    return t;
}
