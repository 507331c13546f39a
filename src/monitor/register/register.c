/* SPDX-License-Identifier: Apache-2.0 */
/* Registers in which no value is written twice: the operations of one value
 * (and of the values made from it by compare-and-swap) form a block, and the
 * blocks must be orderable one after the other. docs/internals/monitor/register.md. */
#include "monitor/deciders.h"
#include "monitor/register/register_run.h"
#include "spec/registry.h"

#include <string.h>

uint32_t register_number(struct register_run *run, plumb_value v)
{
    uint32_t *number = hash_map_at(&run->numbers, v);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)run->values.len;
        struct register_value fresh;
        memset(&fresh, 0xff, sizeof fresh);
        fresh.placed = 0;
        vec_push(&run->values, fresh);
    }
    return *number;
}

/* ---- reading the operations ---- */

bool register_add_writer(struct register_run *run, uint32_t i, uint32_t value)
{
    if (run->values.data[value].writer != NONE)
        return false;
    run->values.data[value].writer = i;
    run->value_of[i] = value;
    return true;
}

void register_add_read(struct register_run *run, uint32_t i, uint32_t value)
{
    const uint32_t *ret = run->p->order.ret;
    struct register_value *v = &run->values.data[value];
    if (v->first_read == NONE)
        v->first_read = v->quick_read = i;
    else
        run->next_read[v->last_read] = i;
    v->last_read = i;
    if (ret[i] < ret[v->quick_read])
        v->quick_read = i;
    run->value_of[i] = value;
}

static const char *register_add_cas(struct register_run *run, uint32_t i, const struct history_op *op)
{
    const struct plumb_values *pool = run->p->history->values;
    plumb_value old = plumb_array_item(pool, op->arg, 0), new = plumb_array_item(pool, op->arg, 1);
    if (op->pending && old == new)
        return NULL;
    if (!op->pending && op->result == PLUMB_ANY)
        return "it is unknown whether a cas succeeded";
    uint32_t from = register_number(run, old);
    if (!op->pending && op->result == PLUMB_FALSE) {
        vec_push(&run->extras, ((struct extra){.op = i, .unless = from}));
        run->next_read[i] = from;
    } else if (old == new) {
        register_add_read(run, i, from);
    } else {
        uint32_t to = register_number(run, new);
        if (!register_add_writer(run, i, to))
            return "a value is written twice";
        run->values.data[to].from = from;
    }
    return NULL;
}

/* The reason why the part is not ours, or null. */
static const char *register_enter(struct register_run *run, uint32_t i)
{
    const struct history_op *op = part_op(run->p, i);
    if (op->op == run->op_read) {
        if (!op->pending && op->result == PLUMB_ANY)
            vec_push(&run->extras, ((struct extra){.op = i, .unless = NONE}));
        else if (!op->pending)
            register_add_read(run, i, register_number(run, op->result));
        return NULL;
    }
    if (op->op == run->op_cas)
        return register_add_cas(run, i, op);
    if (op->op != run->op_write)
        return "there are operations besides reading and writing";
    plumb_value v = run->keyed ? plumb_array_item(run->p->history->values, op->arg, 1) : op->arg;
    return register_add_writer(run, i, register_number(run, v)) ? NULL : "a value is written twice";
}

static const char *register_enter_all(struct register_run *run)
{
    const struct order *o = &run->p->order;
    const char *why = NULL;
    for (uint32_t e = 0; e < o->event_count && !why; e++)
        if (!order_event_returns(o->event[e]))
            why = register_enter(run, order_event_op(o->event[e]));
    return why;
}

/* ---- blocks ---- */

static bool register_observed(const struct register_value *v)
{
    return v->first_read != NONE || v->to != NONE;
}

/* Notes that the CAS which writes `value` succeeded. False: so did another one from the same value. */
static bool register_link(struct register_run *run, uint32_t value)
{
    struct register_value *from = &run->values.data[run->values.data[value].from];
    if (from->to == NONE)
        from->to = value;
    return from->to == value;
}

/* Links completed CAS first, then the pending ones that must have succeeded. Returns a value made by the
 * second CAS from the same value, or NONE. */
static uint32_t register_link_all(struct register_run *run)
{
    struct register_value *values = run->values.data;
    uint32_t count = (uint32_t)run->values.len, second = NONE;
    for (uint32_t v = 0; v < count; v++)
        if (values[v].from != NONE && !register_pending(run, values[v].writer) && !register_link(run, v))
            second = v;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t v = k; values[v].from != NONE && register_pending(run, values[v].writer) &&
                             register_observed(&values[v]) && values[values[v].from].to != v;
             v = values[v].from)
            if (!register_link(run, v)) {
                second = v;
                break;
            }
    return second;
}

/* The value was certainly written: its writer returned, or an operation saw it. */
static bool register_written(const struct register_run *run, const struct register_value *v)
{
    return register_observed(v) || (v->writer != NONE && !register_pending(run, v->writer));
}

/* Gives `start` and the values it was made from their root. False: there is no writer, or the CAS form a
 * circle. */
static bool register_find_root(struct register_run *run, uint32_t start)
{
    struct register_value *values = run->values.data;
    uint32_t top = start, root;
    const uint32_t under_way = NONE - 1;
    while (values[top].root == NONE && values[top].from != NONE) {
        values[top].root = under_way;
        top = values[top].from;
    }
    if (values[top].root == under_way) {
        register_core_circle(run, start, top);
        return false;
    }
    if (values[top].writer == NONE) {
        register_core_orphan(run, top);
        return false;
    }
    root = values[top].root == NONE ? top : values[top].root;
    values[top].root = root;
    for (uint32_t v = start; v != top; v = values[v].from)
        values[v].root = root;
    return true;
}

static bool register_find_roots(struct register_run *run)
{
    for (uint32_t v = 0; v < run->values.len; v++)
        if (run->values.data[v].root == NONE && register_written(run, &run->values.data[v]) &&
            !register_find_root(run, v))
            return false;
    return true;
}

/* Operation x of `value` must follow all that its block holds so far. */
static bool register_check_stage(struct register_run *run, const struct register_value *root, uint32_t x,
                                 uint32_t value)
{
    const struct order *o = &run->p->order;
    if (root->last_call == NONE || o->ret[x] > o->call[root->last_call])
        return true;
    register_core_writers(run, value);
    register_core_add(run, x);
    register_core_add(run, root->last_call);
    return false;
}

static void register_extend_block(const struct register_run *run, struct register_value *root,
                                  uint32_t returns, uint32_t called)
{
    const struct order *o = &run->p->order;
    if (root->first_return == NONE ||
        (root->first_return != INITIAL_WRITE && o->ret[returns] < o->ret[root->first_return]))
        root->first_return = returns;
    if (root->last_call == NONE || o->call[called] > o->call[root->last_call])
        root->last_call = called;
}

/* Walks through a block: writer, reads, CAS, reads, ... False: they cannot be in this order. */
static bool register_measure_block(struct register_run *run, uint32_t block)
{
    struct register_value *root = &run->values.data[block];
    if (root->writer == INITIAL_WRITE)
        root->first_return = INITIAL_WRITE;
    for (uint32_t number = block; number != NONE; number = run->values.data[number].to) {
        const struct register_value *v = &run->values.data[number];
        if (v->writer != INITIAL_WRITE) {
            if (!register_check_stage(run, root, v->writer, number))
                return false;
            register_extend_block(run, root, v->writer, v->writer);
        }
        if (v->first_read != NONE) {
            if (!register_check_stage(run, root, v->quick_read, number))
                return false;
            register_extend_block(run, root, v->quick_read, v->last_read);
        }
    }
    return true;
}

static bool register_measure_blocks(struct register_run *run)
{
    for (uint32_t v = 0; v < run->values.len; v++)
        if (run->values.data[v].root == v && !register_measure_block(run, v))
            return false;
    return true;
}

/* ---- failed CAS ---- */

/* Was `value` there from before the call of x until after its return, in every order? */
static bool register_check_failed(struct register_run *run, uint32_t x, uint32_t value)
{
    const struct order *o = &run->p->order;
    const struct register_value *v = &run->values.data[value];
    uint32_t before = v->writer, after = v->last_read, deepest = value;
    if (v->root == NONE)
        return true;
    if (before != INITIAL_WRITE && v->quick_read != NONE && o->ret[v->quick_read] < o->ret[before])
        before = v->quick_read;
    if (v->to != NONE) {
        uint32_t cas = run->values.data[v->to].writer;
        if (after == NONE || o->call[cas] > o->call[after]) {
            after = cas;
            deepest = v->to;
        }
    }
    if (after == NONE || o->call[after] < o->ret[x] ||
        (before != INITIAL_WRITE && o->ret[before] > o->call[x]))
        return true;
    register_core_writers(run, deepest);
    register_core_add(run, before);
    register_core_add(run, after);
    register_core_add(run, x);
    return false;
}

static bool register_check_all_failed(struct register_run *run)
{
    for (size_t k = 0; k < run->extras.len; k++)
        if (run->extras.data[k].unless != NONE &&
            !register_check_failed(run, run->extras.data[k].op, run->extras.data[k].unless))
            return false;
    return true;
}

/* ---- all together ---- */

static plumb_value register_initial(const struct part *p, bool map, bool kv)
{
    if (map)
        return PLUMB_NONE;
    if (kv)
        return plumb_string(p->history->values, "", 0);
    plumb_value initial = p->options ? p->options->initial : PLUMB_OK;
    return initial == PLUMB_OK ? plumb_int(p->history->values, 0) : initial;
}

enum { VALUES_RESERVED = 4096 }; /* in the table; few may be written very often */

struct register_run register_start(const struct part *p, struct decision *d)
{
    struct register_run run = {.p = p, .d = d};
    bool kv = p->spec->kind == PLUMB_KIND_KV;
    run.keyed = p->spec->key != NULL;
    run.op_write = spec_operation_that(p->spec, PLUMB_WRITES);
    run.op_read = spec_operation_that(p->spec, PLUMB_READS);
    run.op_cas = spec_operation_that(p->spec, PLUMB_EXCHANGES);
    run.value_of = NEW_ARRAY(uint32_t, p->order.count);
    run.next_read = NEW_ARRAY(uint32_t, p->order.count);
    memset(run.value_of, 0xff, p->order.count * sizeof *run.value_of);
    memset(run.next_read, 0xff, p->order.count * sizeof *run.next_read);
    size_t values = (size_t)p->order.count / 2 + 1; /* about as many as are written */
    vec_reserve(&run.values, values);
    hash_map_reserve(&run.numbers, values < VALUES_RESERVED ? values : VALUES_RESERVED);
    uint32_t initial = register_number(&run, register_initial(p, run.keyed && !kv, kv));
    run.values.data[initial].writer = INITIAL_WRITE;
    return run;
}

void register_end(struct register_run *run)
{
    hash_map_free(&run->numbers);
    vec_free(&run->values);
    free(run->value_of);
    free(run->next_read);
    vec_free(&run->extras);
    free(run->order);
}

bool register_make_blocks(struct register_run *run)
{
    uint32_t second = register_link_all(run);
    if (!register_find_roots(run))
        return false;
    if (second != NONE) {
        uint32_t first = run->values.data[run->values.data[second].from].to;
        register_core_writers(run, first);
        register_core_writers(run, second);
        return false;
    }
    return register_measure_blocks(run);
}

/* False: there is no order; the reason is in the core. */
static bool register_solve(struct register_run *run)
{
    return register_make_blocks(run) && register_check_all_failed(run) && register_sweep(run);
}

static bool register_violated(const struct part *p)
{
    struct register_run run = register_start(p, NULL);
    bool violated = !register_enter_all(&run) && !register_solve(&run);
    register_end(&run);
    return violated;
}

/* Places the operations without effect. The state after j operations is the value the last of them left. */
static bool register_place_extras(struct register_run *run, struct decision *d)
{
    if (!run->extras.len)
        return true;
    OWNED uint32_t *colour = NEW_ARRAY(uint32_t, d->witness.len + 1);
    colour[0] = INITIAL_VALUE;
    for (size_t j = 0; j < d->witness.len; j++)
        colour[j + 1] = run->value_of[d->witness.data[j]];
    return witness_insert(run->p, d, run->extras.data, run->extras.len, colour);
}

static enum verdict register_hold(struct register_run *run, struct decision *d)
{
    witness_take(d, &run->order, run->order_length);
    if (!register_place_extras(run, d))
        return decision_not_mine(d, "a failed cas does not fit the order of the other operations");
    return decision_holds(d);
}

enum verdict register_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    if (budget_exhausted(budget))
        return decision_limit(d);
    struct register_run run = register_start(p, d);
    enum verdict verdict;
    const char *why = register_enter_all(&run);
    if (why)
        verdict = decision_not_mine(d, why);
    else if (register_solve(&run))
        verdict = register_hold(&run, d);
    else
        verdict = decision_violated(p, d, register_violated);
    register_end(&run);
    return verdict;
}

/* Cores of registers. Leaving out reads, whole blocks or the end of a block turns a legal order into a
 * legal order, so what is made here only has to be impossible by itself. */

void register_core_add(struct register_run *run, uint32_t i)
{
    if (run->d && i != NONE && i != INITIAL_WRITE)
        vec_push(&run->d->core, i);
}

/* Adds what shows that a value with a pending writer was written. Each value on the way was found to be
 * written because of the next one, so the way ends. */
static void register_core_evidence(struct register_run *run, uint32_t value)
{
    const struct register_value *v = &run->values.data[value];
    while (register_pending(run, v->writer)) {
        if (v->first_read != NONE) {
            register_core_add(run, v->quick_read);
            return;
        }
        v = &run->values.data[v->to];
        register_core_add(run, v->writer);
    }
}

void register_core_writers(struct register_run *run, uint32_t value)
{
    register_core_evidence(run, value);
    for (uint32_t v = value; v != NONE; v = run->values.data[v].from)
        register_core_add(run, run->values.data[v].writer);
}

void register_core_block(struct register_run *run, uint32_t root)
{
    const struct register_value *r = &run->values.data[root];
    uint32_t quick = r->first_return == INITIAL_WRITE ? root : run->value_of[r->first_return];
    uint32_t late = run->value_of[r->last_call], deepest = root;
    for (uint32_t v = root; v != NONE; v = run->values.data[v].to)
        if (v == quick || v == late)
            deepest = v;
    register_core_writers(run, deepest);
    register_core_add(run, r->first_return);
    register_core_add(run, r->last_call);
}

void register_core_circle(struct register_run *run, uint32_t start, uint32_t inside)
{
    register_core_evidence(run, start);
    for (uint32_t v = start; v != inside; v = run->values.data[v].from)
        register_core_add(run, run->values.data[v].writer);
    uint32_t v = inside;
    do {
        register_core_add(run, run->values.data[v].writer);
        v = run->values.data[v].from;
    } while (v != inside);
}

void register_core_orphan(struct register_run *run, uint32_t value)
{
    const struct register_value *v = &run->values.data[value];
    if (v->first_read != NONE) {
        register_core_add(run, v->first_read);
    } else {
        register_core_add(run, run->values.data[v->to].writer);
        register_core_evidence(run, v->to);
    }
}
