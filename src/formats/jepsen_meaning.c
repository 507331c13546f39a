/* SPDX-License-Identifier: Apache-2.0 */
/* What the events of an operation mean. */
#include "formats/edn.h"
#include "formats/jepsen.h"

#include <string.h>

const char *const jepsen_type_names[JEPSEN_TYPES] = {"invoke", "ok", "fail", "info"};

/* Jepsen's names first: the name of an operation is looked up from the top, too. */
static const struct jepsen_function functions[] = {
    {"read", "read", KIND_READ, false},
    {"write", "write", KIND_PLAIN, false},
    {"cas", "cas", KIND_CAS, false},
    {"enqueue", "enq", KIND_PLAIN, false},
    {"dequeue", "deq", KIND_ANSWERS, false},
    {"deq", "deq", KIND_ANSWERS, false},
    {"get", "get", KIND_ANSWERS, true},
    {"put", "put", KIND_PLAIN, true},
    {"append", "append", KIND_PLAIN, true},
    {"pop", "pop", KIND_ANSWERS, false},
    {"peek", "peek", KIND_ANSWERS, false},
    {"take", "take", KIND_ANSWERS, false},
    {"pop_front", "pop_front", KIND_ANSWERS, false},
    {"pop_back", "pop_back", KIND_ANSWERS, false},
    {"delete_min", "delete_min", KIND_ANSWERS, false},
    {"min", "min", KIND_ANSWERS, false},
    {"scan", "scan", KIND_ANSWERS, false},
    {"contains", "contains", KIND_ANSWERS, true},
    {"remove", "remove", KIND_ANSWERS, true},
    {"put_if_absent", "put_if_absent", KIND_ANSWERS, true},
    {"count", "count", KIND_ANSWERS, true},
    {"fetch_add", "fetch_add", KIND_ANSWERS, false},
    {"try_acquire", "try_acquire", KIND_ANSWERS, false},
    {"try_read_lock", "try_read_lock", KIND_ANSWERS, false},
    {"try_write_lock", "try_write_lock", KIND_ANSWERS, false},
    {"is_set", "is_set", KIND_ANSWERS, false},
    {"arrive", "arrive", KIND_ANSWERS, false},
    {"size", "size", KIND_ANSWERS, false},
    {"is_empty", "is_empty", KIND_ANSWERS, false},
    {"items", "items", KIND_LIST, false},
    {"drain", "drain", KIND_LIST, false},
    {"txn", "txn", KIND_ANSWERS, false},
};

struct jepsen_function jepsen_function_of_name(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].f, name))
            return functions[i];
    return (struct jepsen_function){name, !strcmp(name, "enq") ? "enq" : name, KIND_PLAIN, false};
}

struct jepsen_function jepsen_function_of_op(const char *op)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].op, op))
            return functions[i];
    return (struct jepsen_function){op, op, KIND_PLAIN, false};
}

void jepsen_vocabulary_see(struct jepsen_vocabulary *v, const char *op)
{
    v->adds |= !strcmp(op, "add");
    v->writes |= !strcmp(op, "write") || !strcmp(op, "cas");
    v->others |= strcmp(op, "add") && strcmp(op, "read");
}

bool jepsen_is_set(const struct jepsen_vocabulary *v)
{
    return v->lists && v->adds && !v->writes;
}

const char *jepsen_read_name(const struct jepsen_vocabulary *v)
{
    if (jepsen_is_set(v))
        return "items";
    return v->adds && !v->others ? "get" : "read";
}

struct format_options jepsen_settle(const struct format_options *o, enum format format)
{
    struct format_options settled = *o;
    if (o->nil == NIL_USUAL)
        settled.nil = format == FORMAT_LOG ? NIL_VALUE : NIL_ANY;
    if (o->fail == FAIL_USUAL)
        settled.fail = format == FORMAT_LOG ? FAIL_FALSE : FAIL_DROPPED;
    return settled;
}

static bool says_nothing(plumb_value v)
{
    return v == PLUMB_NONE || v == JEPSEN_ABSENT;
}

static plumb_value answer_of(struct plumb_values *values, const struct jepsen_function *f,
                             const struct jepsen_call *c, const struct format_options *o)
{
    switch (f->kind) {
    case KIND_CAS: return plumb_bool(c->end == JEPSEN_OK);
    case KIND_READ:
        if (c->ended == PLUMB_NONE && o->nil == NIL_ANY)
            return PLUMB_ANY;
        return c->ended;
    case KIND_ANSWERS: return c->ended;
    case KIND_LIST: return says_nothing(c->ended) ? PLUMB_ANY : jepsen_list_of(values, c->ended);
    default: return says_nothing(c->ended) || c->ended == c->invoked ? PLUMB_OK : c->ended;
    }
}

/* Registers can hold nil. */
static bool takes_nil(const struct jepsen_function *f)
{
    return !strcmp(f->op, "write");
}

/* Histories record what a read returned at its call, too. */
static plumb_value argument_of(struct plumb_values *values, const struct jepsen_function *f,
                               const struct jepsen_call *c)
{
    bool nothing = c->invoked == JEPSEN_ABSENT || (c->invoked == PLUMB_NONE && !takes_nil(f));
    plumb_value v = f->kind == KIND_READ || f->kind == KIND_LIST || nothing ? PLUMB_OK : c->invoked;
    if (c->key == JEPSEN_ABSENT)
        return v;
    plumb_value pair[2] = {c->key, v};
    return v == PLUMB_OK ? c->key : plumb_array(values, pair, 2);
}

void jepsen_understand(struct plumb_values *values, const struct jepsen_function *f, struct jepsen_call *c,
                       const struct format_options *o)
{
    bool answered_false = c->end == JEPSEN_FAIL && f->kind == KIND_CAS && o->fail == FAIL_FALSE;
    c->pending = c->end == JEPSEN_INVOKE || c->end == JEPSEN_INFO;
    c->dropped = c->end == JEPSEN_FAIL && !answered_false;
    c->arg = argument_of(values, f, c);
    c->result = c->pending || c->dropped ? PLUMB_ANY : answer_of(values, f, c, o);
}

/* ---- tuples ---- */

static bool is_pair(const struct plumb_values *values, plumb_value v)
{
    return plumb_is_array(v) && plumb_array_count(values, v) == 2;
}

/* The tuples of one key look like any other pair. What distinguishes them is a question with a key, [k nil],
 * answered by [k v]; or that what a cas compares and sets are in a pair of their own, [k [old new]]. */
void jepsen_tuples_see(struct jepsen_tuples *t, const struct plumb_values *values,
                       const struct jepsen_function *f, const struct jepsen_call *c)
{
    if (!is_pair(values, c->invoked)) {
        t->possible = false;
        return;
    }
    plumb_value key = plumb_array_item(values, c->invoked, 0),
                inner = plumb_array_item(values, c->invoked, 1);
    if (f->kind == KIND_CAS) {
        t->possible &= !plumb_is_array(key) && is_pair(values, inner);
        t->likely = true;
    } else if (f->kind == KIND_ANSWERS || f->kind == KIND_READ) {
        bool ended = c->end == JEPSEN_OK;
        t->possible &= !ended || (is_pair(values, c->ended) && plumb_array_item(values, c->ended, 0) == key);
        t->likely |= inner == PLUMB_NONE;
    }
}

/* ---- processes ---- */

bool jepsen_is_client(const struct plumb_values *values, plumb_value process)
{
    size_t length;
    if (plumb_tag_of(process) != PLUMB_TAG_STRING)
        return plumb_is_int(process);
    const char *name = plumb_string_of(values, process, &length);
    return !edn_is_special(name, length);
}

bool jepsen_is_too_large(const struct plumb_values *values, plumb_value process)
{
    size_t length;
    if (plumb_tag_of(process) != PLUMB_TAG_STRING)
        return false;
    const char *name = plumb_string_of(values, process, &length);
    return length > 2 && !memcmp(name, "~n", 2) && edn_is_special(name, length);
}
