/* SPDX-License-Identifier: Apache-2.0 */
/* Events are collected as they come; what their values mean is known only when all were seen. */
#include "formats/jepsen.h"

#include "base/check.h"
#include "formats/edn.h"
#include "history/value_text.h"

#include <string.h>

enum { NO_OPERATION = UINT32_MAX };

/* An operation as its events say. `call` and `ret` of its record count events, or are stamps. */
struct recorded {
    plumb_value invoked, ended, key;
    int64_t call, ret;
    uint64_t line;
    uint32_t thread, function, extra; /* extra: number + 1 */
    uint8_t end;                      /* enum jepsen_type */
};

/* What only our own files say. */
struct extra {
    plumb_value op, arg, result, object;
};

struct process {
    plumb_value name;
    uint32_t thread, open; /* open: operation, or NO_OPERATION */
    uint32_t crashes;
    bool crashed;
};

struct jepsen {
    struct history *h;
    struct diagnostic *d;
    struct format_options options;
    VEC(struct recorded) recorded;
    VEC(struct extra) extras;
    VEC(struct process) processes;
    VEC(struct jepsen_function) functions;
    VEC(char *) names; /* of the functions */
    struct hash_map process_numbers, function_numbers;
    int64_t events;
    bool stamped, unstamped; /* there are events with and without a stamp of ours */
    bool objects_named;      /* some event names its object or its key: values are not tuples */
    bool tagged_tuples;      /* some value says that it is one */
};

struct jepsen *jepsen_begin(struct history *h, const struct format_options *o, enum format format,
                            struct diagnostic *d)
{
    struct jepsen *j = NEW(struct jepsen);
    j->h = h;
    j->d = d;
    j->options = jepsen_settle(o, format);
    return j;
}

void jepsen_free(struct jepsen *j)
{
    for (size_t i = 0; i < j->names.len; i++)
        free(j->names.data[i]);
    vec_free(&j->names);
    vec_free(&j->recorded);
    vec_free(&j->extras);
    vec_free(&j->processes);
    vec_free(&j->functions);
    hash_map_free(&j->process_numbers);
    hash_map_free(&j->function_numbers);
    free(j);
}

struct jepsen_event jepsen_blank_event(void)
{
    const plumb_value none = JEPSEN_ABSENT;
    return (struct jepsen_event){.process = none,
                                 .f = none,
                                 .value = none,
                                 .key = none,
                                 .type = JEPSEN_TYPES,
                                 .op = none,
                                 .arg = none,
                                 .result = none,
                                 .object = none,
                                 .stamp = none};
}

static bool fail_at(struct jepsen *j, const struct jepsen_event *e, const char *message)
{
    return diagnostic_set(j->d, PL_BAD_FIELD, e->line, e->column, "%s", message);
}

static bool fail_process(struct jepsen *j, const struct jepsen_event *e, const char *format, uint64_t line)
{
    struct text name = {0};
    char message[200];
    value_print_short(&name, j->h->values, e->process);
    snprintf(message, sizeof message, format, (unsigned long long)line);
    diagnostic_set(j->d, PL_TWO_OPEN, e->line, e->column, "process %s %s", name.data, message);
    text_free(&name);
    return false;
}

/* ---- single events ---- */

static struct process *process_of(struct jepsen *j, plumb_value name)
{
    uint32_t *number = hash_map_at(&j->process_numbers, name);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)j->processes.len;
        struct process fresh = {.name = name, .thread = history_thread(j->h, name), .open = NO_OPERATION};
        vec_push(&j->processes, fresh);
    }
    return &j->processes.data[*number];
}

/* A process that crashed is another thread from then on: "4#2". */
static void revive(struct jepsen *j, struct process *p)
{
    struct text name = {0};
    p->crashes++;
    size_t length;
    if (plumb_is_int(p->name)) {
        value_print_int(&name, plumb_int_of(j->h->values, p->name));
    } else {
        const char *bytes = plumb_string_of(j->h->values, p->name, &length);
        text_add(&name, bytes, length);
    }
    text_printf(&name, "#%u", p->crashes + 1);
    p->thread = history_thread(j->h, plumb_string(j->h->values, name.data, name.len));
    p->crashed = false;
    text_free(&name);
}

/* "~:read" or a plain string. */
static bool function_name(const struct jepsen *j, plumb_value f, const char **name, size_t *length)
{
    if (plumb_tag_of(f) != PLUMB_TAG_STRING)
        return false;
    *name = plumb_string_of(j->h->values, f, length);
    if (*length >= 2 && !memcmp(*name, "~:", 2))
        *name += 2, *length -= 2;
    return *length && !memchr(*name, 0, *length);
}

static bool function_of(struct jepsen *j, const struct jepsen_event *e, uint32_t *out)
{
    uint32_t *number = hash_map_at(&j->function_numbers, e->f);
    if (*number == HASH_NO_NUMBER) {
        const char *name;
        size_t length;
        if (!function_name(j, e->f, &name, &length))
            return fail_at(j, e, "an operation needs a function, such as :f :read");
        *number = (uint32_t)j->functions.len;
        vec_push(&j->names, base_strndup(name, length));
        vec_push(&j->functions, jepsen_function_of_name(vec_last(&j->names)));
    }
    *out = *number;
    return true;
}

/* The value of a tuple that says what it is: #jepsen.independent/tuple [k v]. */
static plumb_value untag(struct jepsen *j, plumb_value v)
{
    static const char head[] = "~#jepsen.independent";
    if (!plumb_is_array(v) || plumb_array_count(j->h->values, v) != 2)
        return v;
    size_t length;
    plumb_value tag = plumb_array_item(j->h->values, v, 0);
    if (plumb_tag_of(tag) != PLUMB_TAG_STRING)
        return v;
    const char *bytes = plumb_string_of(j->h->values, tag, &length);
    if (length < sizeof head || memcmp(bytes, head, sizeof head - 1))
        return v;
    j->tagged_tuples = true;
    return plumb_array_item(j->h->values, v, 1);
}

static struct extra *extra_of(struct jepsen *j, struct recorded *t)
{
    if (!t->extra) {
        struct extra none = {JEPSEN_ABSENT, JEPSEN_ABSENT, JEPSEN_ABSENT, JEPSEN_ABSENT};
        vec_push(&j->extras, none);
        t->extra = (uint32_t)j->extras.len;
    }
    return &j->extras.data[t->extra - 1];
}

static void keep_extras(struct jepsen *j, const struct jepsen_event *e, struct recorded *t)
{
    if (e->op != JEPSEN_ABSENT)
        extra_of(j, t)->op = e->op;
    if (e->arg != JEPSEN_ABSENT)
        extra_of(j, t)->arg = e->arg;
    if (e->result != JEPSEN_ABSENT)
        extra_of(j, t)->result = e->result;
    if (e->object != JEPSEN_ABSENT) {
        extra_of(j, t)->object = e->object;
        j->objects_named = true;
    }
}

static bool take_stamp(struct jepsen *j, const struct jepsen_event *e, int64_t *out)
{
    bool stamped = e->stamp != JEPSEN_ABSENT;
    j->stamped |= stamped;
    j->unstamped |= !stamped;
    if (j->stamped && j->unstamped)
        return fail_at(j, e, "some events have a :plumb/stamp and others do not");
    *out = stamped ? plumb_int_of(j->h->values, e->stamp) : j->events++;
    return true;
}

static bool invoke(struct jepsen *j, const struct jepsen_event *e, struct process *p)
{
    struct recorded t = {.line = e->line, .key = e->key, .ended = JEPSEN_ABSENT, .end = JEPSEN_INVOKE};
    if (p->open != NO_OPERATION)
        return fail_process(j, e, "invokes this operation while its operation of line %llu is still open",
                            j->recorded.data[p->open].line);
    if (j->recorded.len >= HISTORY_OPS_MAX)
        return diagnostic_set(j->d, PL_TOO_LARGE, e->line, e->column, "more than %zu operations",
                              HISTORY_OPS_MAX);
    if (!function_of(j, e, &t.function))
        return false;
    if (p->crashed)
        revive(j, p);
    t.thread = p->thread;
    t.invoked = untag(j, e->value);
    if (!take_stamp(j, e, &t.call))
        return false;
    j->objects_named |= e->key != JEPSEN_ABSENT;
    keep_extras(j, e, &t);
    p->open = (uint32_t)j->recorded.len;
    vec_push(&j->recorded, t);
    return true;
}

static bool complete(struct jepsen *j, const struct jepsen_event *e, struct process *p)
{
    struct recorded *t = &j->recorded.data[p->open];
    uint32_t function = 0;
    if (e->f != JEPSEN_ABSENT && (!function_of(j, e, &function) || function != t->function))
        return j->d->code ? false
                          : fail_process(j, e, "ends another function than it invoked in line %llu", t->line);
    t->end = (uint8_t)e->type;
    t->ended = untag(j, e->value);
    keep_extras(j, e, t);
    if (e->type == JEPSEN_INFO)
        p->crashed = true;
    else if (!take_stamp(j, e, &t->ret))
        return false;
    p->open = NO_OPERATION;
    if (t->ret < t->call && e->type != JEPSEN_INFO)
        return diagnostic_set(j->d, PL_RETURN_BEFORE_CALL, e->line, e->column,
                              "the operation returns at %lld, before its call at %lld", (long long)t->ret,
                              (long long)t->call);
    return true;
}

static bool add_mark(struct jepsen *j, const struct jepsen_event *e)
{
    bool stamped = e->stamp != JEPSEN_ABSENT;
    struct history_mark m = {
        .stamp = stamped ? plumb_int_of(j->h->values, e->stamp) : j->events,
        .who = e->process,
        .what = e->f == JEPSEN_ABSENT ? PLUMB_NONE : e->f,
        .value = e->value == JEPSEN_ABSENT ? PLUMB_NONE : e->value,
    };
    if (j->h->marks.len && vec_last(&j->h->marks).stamp > m.stamp)
        return fail_at(j, e, "this happened before what stands in front of it");
    vec_push(&j->h->marks, m);
    return true;
}

bool jepsen_add(struct jepsen *j, const struct jepsen_event *e)
{
    if (e->process == JEPSEN_ABSENT)
        return fail_at(j, e, "the event has no :process");
    if (e->type == JEPSEN_TYPES)
        return fail_at(j, e, "the event has no :type");
    if (e->stamp != JEPSEN_ABSENT && !plumb_is_int(e->stamp))
        return fail_at(j, e, ":plumb/stamp has to be an integer");
    if (jepsen_is_too_large(j->h->values, e->process))
        return fail_at(j, e, "the number of the process does not fit 64 bits");
    if (!jepsen_is_client(j->h->values, e->process))
        return add_mark(j, e);
    struct process *p = process_of(j, e->process);
    if (e->type == JEPSEN_INVOKE)
        return invoke(j, e, p);
    if (p->open != NO_OPERATION)
        return complete(j, e, p);
    if (e->type == JEPSEN_INFO)
        return add_mark(j, e);
    return fail_process(j, e, "ends an operation that it did not invoke", 0);
}

/* ---- all together ---- */

static struct jepsen_call call_of(const struct jepsen *j, const struct recorded *t)
{
    bool takes_key = j->functions.data[t->function].keyed;
    return (struct jepsen_call){
        .invoked = t->invoked, .ended = t->ended, .key = takes_key ? t->key : JEPSEN_ABSENT, .end = t->end};
}

static bool has_tuples(const struct jepsen *j)
{
    if (j->options.keys != KEYS_USUAL || j->tagged_tuples)
        return j->options.keys != KEYS_NONE;
    struct jepsen_tuples seen = jepsen_tuples_start();
    for (size_t i = 0; i < j->recorded.len && seen.possible; i++) {
        struct jepsen_call c = call_of(j, &j->recorded.data[i]);
        jepsen_tuples_see(&seen, j->h->values, &j->functions.data[j->recorded.data[i].function], &c);
    }
    return !j->objects_named && seen.possible && seen.likely;
}

/* Takes the key out of the values. */
static bool split_tuple(struct jepsen *j, const struct recorded *t, struct jepsen_call *c, plumb_value *key)
{
    const struct plumb_values *values = j->h->values;
    if (!plumb_is_array(c->invoked) || plumb_array_count(values, c->invoked) != 2)
        return diagnostic_set(j->d, PL_BAD_FIELD, t->line, 1,
                              "the value of this operation is not a tuple [k v]");
    *key = plumb_array_item(values, c->invoked, 0);
    c->invoked = plumb_array_item(values, c->invoked, 1);
    if (plumb_is_array(c->ended) && plumb_array_count(values, c->ended) == 2 &&
        plumb_array_item(values, c->ended, 0) == *key)
        c->ended = plumb_array_item(values, c->ended, 1);
    else if (c->end == JEPSEN_OK && c->ended != PLUMB_NONE && c->ended != JEPSEN_ABSENT)
        return diagnostic_set(j->d, PL_BAD_FIELD, t->line, 1,
                              "the value that ends this operation is not a tuple of the same key");
    return true;
}

/* [] none, [v] v, :unknown unknown. */
static bool unwrap(const struct jepsen *j, plumb_value wrapped, plumb_value *out)
{
    size_t length;
    if (plumb_is_array(wrapped)) {
        size_t count = plumb_array_count(j->h->values, wrapped);
        *out = count ? jepsen_bare_head(j->h->values, plumb_array_item(j->h->values, wrapped, 0)) : PLUMB_OK;
        return count <= 1;
    }
    if (plumb_tag_of(wrapped) != PLUMB_TAG_STRING)
        return false;
    const char *bytes = plumb_string_of(j->h->values, wrapped, &length);
    *out = PLUMB_ANY;
    return length == 9 && !memcmp(bytes, "~:unknown", length);
}

/* What our own members say counts more than what was understood. */
static bool apply_extra(struct jepsen *j, const struct recorded *t, struct jepsen_call *c,
                        plumb_value *object)
{
    const struct extra *x = &j->extras.data[t->extra - 1];
    bool fine = true;
    if (x->arg != JEPSEN_ABSENT)
        fine &= unwrap(j, x->arg, &c->arg) && c->arg != PLUMB_ANY;
    if (x->result != JEPSEN_ABSENT && t->end != JEPSEN_INVOKE && t->end != JEPSEN_INFO) {
        fine &= unwrap(j, x->result, &c->result);
        c->dropped = false;
    }
    if (x->object != JEPSEN_ABSENT)
        *object = x->object;
    if (x->op != JEPSEN_ABSENT)
        fine &= plumb_tag_of(x->op) == PLUMB_TAG_STRING;
    return fine ||
           diagnostic_set(j->d, PL_BAD_FIELD, t->line, 1, "a :plumb/ member of this operation is malformed");
}

static bool op_name_of(struct jepsen *j, const struct recorded *t, const char *question, uint16_t *out)
{
    const struct jepsen_function *f = &j->functions.data[t->function];
    const char *name = f->kind == KIND_READ ? question : f->op;
    size_t length = strlen(name);
    if (t->extra && j->extras.data[t->extra - 1].op != JEPSEN_ABSENT)
        name = plumb_string_of(j->h->values, j->extras.data[t->extra - 1].op, &length);
    if (memchr(name, 0, length))
        return diagnostic_set(j->d, PL_BAD_FIELD, t->line, 1,
                              "the name of an operation cannot contain a zero byte");
    *out = history_op_name(j->h, name, length);
    return *out != HISTORY_NO_NAME ||
           diagnostic_set(j->d, PL_TOO_LARGE, t->line, 1, "more than %d different operation names",
                          HISTORY_NAMES_MAX);
}

/* Without stamps of ours time is the place among the events that count: `place` of each, by number. */
static int64_t *count_places(const struct jepsen *j, const bool *dropped)
{
    if (j->stamped)
        return NULL;
    int64_t *place = NEW_ZEROED(int64_t, j->events + 1);
    for (size_t i = 0; i < j->recorded.len; i++)
        if (dropped[i])
            place[j->recorded.data[i].call] = place[j->recorded.data[i].ret] = -1;
    int64_t next = 0;
    for (int64_t e = 0; e <= j->events; e++)
        place[e] = place[e] < 0 ? next : next++;
    return place;
}

struct finishing {
    const char *question; /* what a read is called */
    bool tuples;
    bool sets; /* read as a whole */
    bool *dropped;
};

static bool finish_op(struct jepsen *j, size_t i, struct finishing *f)
{
    struct recorded *t = &j->recorded.data[i];
    struct jepsen_call c = call_of(j, t);
    const struct jepsen_function *function = &j->functions.data[t->function];
    plumb_value object = function->keyed ? PLUMB_NONE : t->key == JEPSEN_ABSENT ? PLUMB_NONE : t->key;
    if (f->tuples && !split_tuple(j, t, &c, &object))
        return false;
    (f->sets ? jepsen_understand_set : jepsen_understand)(j->h->values, function, &c, &j->options);
    if (t->extra && !apply_extra(j, t, &c, &object))
        return false;
    f->dropped[i] = c.dropped;
    if (c.dropped)
        return true;
    struct history_op op = {.call = t->call,
                            .ret = c.pending ? INT64_MAX : t->ret,
                            .arg = c.arg,
                            .result = c.pending ? PLUMB_ANY : c.result,
                            .thread = t->thread,
                            .pending = c.pending};
    if (!op_name_of(j, t, f->question, &op.op))
        return false;
    history_add(j->h, op, history_object(j->h, object));
    vec_push(&j->h->lines, t->line);
    return true;
}

static void renumber(struct jepsen *j, const bool *dropped)
{
    int64_t *place = count_places(j, dropped);
    if (!place)
        return;
    for (size_t i = 0; i < j->h->ops.len; i++) {
        struct history_op *op = history_change(j->h, i);
        op->call = place[op->call];
        if (!op->pending)
            op->ret = place[op->ret];
    }
    for (size_t i = 0; i < j->h->marks.len; i++)
        j->h->marks.data[i].stamp = place[j->h->marks.data[i].stamp];
    free(place);
}

/* Does a read answer a collection? */
static bool reads_lists(const struct jepsen *j, bool tuples)
{
    for (size_t i = 0; i < j->recorded.len; i++) {
        const struct recorded *t = &j->recorded.data[i];
        bool answered = j->functions.data[t->function].kind == KIND_READ && t->end == JEPSEN_OK;
        plumb_value v = answered ? t->ended : PLUMB_NONE;
        if (tuples && plumb_is_array(v) && plumb_array_count(j->h->values, v) == 2)
            v = plumb_array_item(j->h->values, v, 1);
        if (plumb_is_array(v))
            return true;
    }
    return false;
}

static struct finishing choose_meaning(const struct jepsen *j)
{
    struct jepsen_vocabulary v = {0};
    bool tuples = has_tuples(j);
    for (size_t i = 0; i < j->functions.len; i++)
        jepsen_vocabulary_see(&v, j->functions.data[i].op);
    v.lists = !j->options.counter && reads_lists(j, tuples);
    const char *question = j->options.counter ? "get" : jepsen_read_name(&v);
    return (struct finishing){.question = question, .tuples = tuples, .sets = jepsen_is_set(&v)};
}

bool jepsen_finish(struct jepsen *j)
{
    struct finishing f = choose_meaning(j);
    f.dropped = NEW_ZEROED(bool, j->recorded.len + 1);
    bool fine = true;
    for (size_t i = 0; i < j->recorded.len && fine; i++)
        fine = finish_op(j, i, &f);
    if (fine)
        renumber(j, f.dropped);
    free(f.dropped);
    if (fine && !j->h->ops.len)
        return diagnostic_set(j->d, PL_EMPTY_FILE, 0, 0, "the input has no operation%s",
                              j->recorded.len ? " but those that failed, which never took effect" : "");
    return fine;
}
