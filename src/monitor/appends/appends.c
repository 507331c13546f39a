/* SPDX-License-Identifier: Apache-2.0 */
/* One key with put, append and get of strings: what a get returns says which put it has read from and in which order
 * appends came after that. docs/internals/monitor/appends.md has the algorithm and why it is exact. */
#include "monitor/deciders.h"
#include "monitor/appends/appends_run.h"

/* ---- the operations ---- */

static enum appends_kind kind_of_get(const struct part *p, uint32_t i)
{
    if (p->order.ret[i] == ORDER_NEVER)
        return APPENDS_NOTHING;
    return part_op(p, i)->result == PLUMB_ANY ? APPENDS_EXTRA : APPENDS_GET;
}

static enum appends_kind kind_of(const struct part *p, uint32_t i)
{
    size_t length;
    if (p->spec->operations[part_op(p, i)->op].reads)
        return kind_of_get(p, i);
    if (part_role(p, i) == PLUMB_WRITES)
        return APPENDS_PUT;
    plumb_string_of(p->history->values, part_payload(p, i), &length);
    if (length)
        return APPENDS_APPEND;
    return p->order.ret[i] == ORDER_NEVER ? APPENDS_NOTHING : APPENDS_EXTRA;
}

/* False: a get returned what is no string. */
static bool enter(struct appends_run *run, uint32_t i)
{
    const struct order *o = &run->p->order;
    run->kind[i] = (uint8_t)kind_of(run->p, i);
    run->call[i] = o->call[i] + 1;
    run->ret[i] = o->ret[i] == ORDER_NEVER ? ORDER_NEVER : o->ret[i] + 1;
    if (run->kind[i] == APPENDS_EXTRA)
        vec_push(&run->extras, ((struct extra){.op = i, .unless = NONE}));
    if (run->kind[i] != APPENDS_GET)
        return true;
    plumb_value answer = part_op(run->p, i)->result;
    if (plumb_tag_of(answer) != PLUMB_TAG_STRING) {
        appends_core_add(run, i);
        return false;
    }
    size_t length;
    struct appends_look look = {.op = i, .root = NONE, .guess = NONE};
    look.bytes = plumb_string_of(run->p->history->values, answer, &length);
    look.length = (uint32_t)length;
    vec_push(&run->looks, look);
    return true;
}

/* Later calls have larger numbers only in a part of one key: `extras` have to be in order of calls. */
static bool enter_all(struct appends_run *run)
{
    const struct order *o = &run->p->order;
    for (uint32_t e = 0; e < o->event_count; e++)
        if (!order_event_returns(o->event[e]) && !enter(run, order_event_op(o->event[e])))
            return false;
    run->kind[run->initial] = APPENDS_PUT;
    run->call[run->initial] = run->ret[run->initial] = 0;
    return true;
}

/* By position: which completed write, of those that are called there or later, returns first. */
static void list_earliest(struct appends_run *run)
{
    const struct order *o = &run->p->order;
    uint32_t *put = run->earliest_put = NEW_ARRAY(uint32_t, (size_t)o->event_count + 2);
    uint32_t *write = run->earliest_write = NEW_ARRAY(uint32_t, (size_t)o->event_count + 2);
    uint32_t first_put = NONE, first_write = NONE, first_put_ret = ORDER_NEVER, first_write_ret = ORDER_NEVER;
    put[o->event_count + 1] = write[o->event_count + 1] = NONE;
    for (uint32_t e = o->event_count; e > 0; e--) {
        uint32_t op = order_event_op(o->event[e - 1]), ret = run->ret[op];
        if (!order_event_returns(o->event[e - 1]) && ret < first_write_ret &&
            (run->kind[op] == APPENDS_PUT || run->kind[op] == APPENDS_APPEND)) {
            first_write = op;
            first_write_ret = ret;
        }
        if (!order_event_returns(o->event[e - 1]) && ret < first_put_ret && run->kind[op] == APPENDS_PUT) {
            first_put = op;
            first_put_ret = ret;
        }
        put[e] = first_put;
        write[e] = first_write;
    }
    put[0] = put[1];
    write[0] = write[1];
}

/* ---- beginning and end ---- */

enum { WORK_PER_OPERATION = 64, WORK_FREE = 100000 };

static void start(struct appends_run *run, const struct part *p, struct decision *d)
{
    uint32_t count = p->order.count;
    *run = (struct appends_run){.p = p, .d = d, .count = count, .initial = count};
    run->kind = NEW_ZEROED(uint8_t, (size_t)count + 1);
    run->call = NEW_ARRAY(uint32_t, (size_t)count + 1);
    run->ret = NEW_ARRAY(uint32_t, (size_t)count + 1);
    run->work_most = (uint64_t)WORK_PER_OPERATION * count + WORK_FREE;
    vec_reserve(&run->looks, count);
    vec_reserve(&run->nodes, count);
}

static void end_mode(struct appends_run *run)
{
    vec_clear(&run->epochs);
    vec_clear(&run->occurrences);
    vec_clear(&run->blocks);
    free(run->by_depth);
    free(run->epoch_of);
    free(run->taken);
    free(run->home);
    run->by_depth = run->epoch_of = run->home = NULL;
    run->taken = NULL;
}

static void end(struct appends_run *run)
{
    end_mode(run);
    vec_free(&run->epochs);
    vec_free(&run->occurrences);
    vec_free(&run->blocks);
    vec_free(&run->nodes);
    vec_free(&run->looks);
    vec_free(&run->extras);
    hash_map_free(&run->children);
    appends_strings_free(&run->puts);
    appends_strings_free(&run->tokens);
    uint32_t *arrays[] = {run->call,   run->ret,     run->earliest_put, run->earliest_write, run->pinned,
                          run->shower, run->joint_f, run->joint_s,      run->times,          run->next_low};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
    free(run->kind);
    free(run->late_root);
    free(run->late_writer);
    vec_free(&run->blamed);
}

/* ---- cores ---- */

void appends_core_add(struct appends_run *run, uint32_t op)
{
    if (run->d && op != NONE && op != run->initial)
        vec_push(&run->d->core, op);
}

void appends_core_look(struct appends_run *run, uint32_t look)
{
    if (run->d)
        appends_core_add(run, run->looks.data[look].op);
}

/* What the gets of the core may have read has to be in it: leaving out any other write keeps an order legal. */
static void close_core(struct appends_run *run)
{
    size_t count = run->puts.texts ? run->d->core.len : 0; /* none: an answer is no string */
    run->why = NULL;
    for (size_t k = 0; k < count && !run->why; k++)
        if (run->kind[run->d->core.data[k]] == APPENDS_GET)
            appends_core_close(run, run->d->core.data[k]);
    if (run->why)
        vec_clear(&run->d->core);
}

/* ---- all together ---- */

/* What does not depend on guesses. False: violated, or run->why. */
static bool prepare(struct appends_run *run)
{
    if (!enter_all(run))
        return false;
    list_earliest(run);
    appends_strings_make(run, &run->puts, APPENDS_PUT);
    appends_strings_make(run, &run->tokens, APPENDS_APPEND);
    return appends_parse(run) && appends_strike(run);
}

bool appends_try_mode(struct appends_run *run, enum appends_mode mode)
{
    end_mode(run);
    run->mode = mode;
    run->is_exact = true;
    run->by_depth = NEW_ARRAY(uint32_t, run->looks.len);
    run->epoch_of = NEW_ARRAY(uint32_t, (size_t)run->count + 1);
    run->home = NEW_ARRAY(uint32_t, (size_t)run->count + 1);
    run->taken = NEW_ZEROED(uint8_t, (size_t)run->count + 1);
    memset(run->epoch_of, 0xff, ((size_t)run->count + 1) * sizeof *run->epoch_of);
    return appends_make_epochs(run) && appends_choose_writers(run) && appends_order_blocks(run);
}

/* Leaves what cannot be decided out. */
static enum verdict solve(struct appends_run *run)
{
    if (prepare(run) && appends_try_mode(run, APPENDS_RELAX))
        return run->is_exact ? VERDICT_HOLDS : VERDICT_NONE;
    return run->why ? VERDICT_NONE : VERDICT_VIOLATED;
}

static bool appends_violated(const struct part *p)
{
    struct appends_run run;
    start(&run, p, NULL);
    bool violated = solve(&run) == VERDICT_VIOLATED;
    end(&run);
    return violated;
}

static enum verdict hold(struct appends_run *run, struct decision *d)
{
    appends_take_witness(run, d);
    witness_insert(run->p, d, run->extras.data, run->extras.len, NULL);
    return decision_holds(d);
}

enum verdict appends_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    if (budget_exhausted(budget))
        return decision_limit(d);
    struct appends_run run;
    start(&run, p, d);
    enum verdict verdict = solve(&run);
    if (verdict == VERDICT_VIOLATED) {
        close_core(&run);
        verdict = decision_violated(p, d, appends_violated);
    } else if (verdict == VERDICT_HOLDS || appends_guess(&run)) {
        vec_clear(&d->core);
        verdict = hold(&run, d);
    } else {
        vec_clear(&d->core);
        verdict = decision_not_mine(
            d,
            run.why ? run.why : "equal strings are put or appended, or strings can be read in several ways");
    }
    end(&run);
    return verdict;
}
