/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_steps.h"

#include "base/check.h"
#include "prove/prove_buffers.h"
#include "prove/prove_harness.h"
#include "prove/hung/prove_hung.h"
#include "prove/prove_memo.h"
#include "prove/prove_unseen.h"
#include "refine/specification/machine.h"

#include <stdio.h>
#include <string.h>

struct prove_search prove_search;

static struct refine_system system_;
static struct refine_location locations[VECTOR_ITEMS + REFINE_ARGS_MAX];
static const char *names_of_ops[PROVE_OPERATIONS_MAX];
static struct prove_form first;

/* --- steps ------------------------------------------------------------------------------------------------------------ */

static void add_step(struct refine_steps *out, const struct refine_step *step, const struct vector *next)
{
    vec_push(&out->steps, *step);
    vec_reserve(&out->states, out->states.len + sizeof *next);
    memcpy(out->states.data + out->states.len, next, sizeof *next);
    out->states.len += sizeof *next;
}

/* --- steps of a state -------------------------------------------------------------------------------------------------------- */

/* The checker's name of an item of `from`. */
static uint8_t name_of(unsigned item)
{
    return item <= prove_from.items ? prove_from.vector.items[item - 1] : prove_from.vector.args[0];
}

static bool make_vector(struct vector *next, const struct arrival *a, const struct way *w, unsigned op)
{
    *next = (struct vector){.image = a->image, .inside = prove_from.vector.inside};
    for (unsigned t = 0; t < prove.threads; t++)
        next->holds[a->names.place[t]] = prove_from.vector.holds[t];
    if (a->names.item_count > VECTOR_ITEMS)
        return false;
    for (unsigned i = 1; i <= a->names.item_count; i++)
        next->items[i - 1] = name_of(a->names.old[i]);
    if (!a->has_returned)
        return true;
    next->phase = RETURNING;
    next->thread = a->names.place[w->thread];
    next->op = (uint8_t)op;
    next->is_item = a->reply.is_item;
    next->is_number = a->reply.is_number;
    next->is_bad = a->reply.is_bad;
    next->drops = a->reply.drops;
    next->number = a->reply.number;
    next->args[0] = a->reply.is_item ? name_of(a->item) : 0;
    return true;
}

static void add_arrival(struct refine_steps *out, const struct arrival *a, const struct way *w, unsigned op)
{
    struct vector next;
    struct refine_step step = {.kind = REFINE_INTERNAL, .thread = (uint8_t)w->thread, .op = (uint8_t)op};
    step.constants[0] = w->drains ? PROVE_DRAIN : w->woken < prove.threads ? PROVE_WAKES : (int32_t)w->choice;
    step.other = (uint8_t)w->woken;
    if (a->outcome == PROVE_FAULT) {
        step.kind = REFINE_FAULT;
        add_step(out, &step, &prove_from.vector);
    } else if (a->outcome == PROVE_UNSURE) {
        prove_be_unsure(prove.problem);
    } else if (a->outcome == PROVE_FINE) {
        step.is_permuted = true;
        memcpy(step.permutation, a->names.place, sizeof a->names.place);
        if (make_vector(&next, a, w, op))
            add_step(out, &step, &next);
        else
            prove_be_unsure("more items are in use at a time than have names");
    }
}

/* How it goes on, for states in which nothing ever returns. */
static void note_next(const struct arrival *a)
{
    if (a->outcome != PROVE_BLOCKED)
        prove_hung_note(prove_from.vector.image,
                        a->outcome == PROVE_FINE && !a->has_returned ? a->image : PROVE_HUNG_RETURNS);
}

/* False: it waits. */
static bool add_run(struct refine_steps *out, struct way *w, unsigned op)
{
    static struct arrival a;
    bool for_no_reason = w->is_waiting && !w->drains;
    struct prove_result result = prove_run_way(w);
    prove_merge_add();
    prove_arrive(&a, result, op);
    if (a.outcome == PROVE_FINE)
        a.image = prove_images_add(&prove_search.images, &a.form);
    if (prove_unseen_find() && a.outcome == PROVE_FINE)
        prove_be_unsure("memory that threads share is written without a hook that announces it");
    if (prove_from.vector.phase == BETWEEN && !for_no_reason)
        note_next(&a);
    if (prove.has_doubt)
        prove_be_unsure(prove.doubt);
    else if (a.outcome == PROVE_FINE && !prove.shared->question.no_twins)
        prove_compare_twin(&a, w, op);
    add_arrival(out, &a, w, op);
    return a.outcome != PROVE_BLOCKED && !for_no_reason;
}

/* False: it waits. */
static bool add_runs(struct refine_steps *out, unsigned thread, unsigned op, bool is_waiting)
{
    struct way w = {.thread = thread, .choices = 1, .woken = UINT32_MAX, .is_waiting = is_waiting};
    bool goes_on = true;
    for (; w.choice < w.choices; w.choice++)
        goes_on &= add_run(out, &w, op);
    struct way drain = {.thread = thread, .drains = true, .woken = UINT32_MAX};
    return w.stores ? add_run(out, &drain, op) : goes_on;
}

/* None of the open operations ever returns unless others are called: the specification is asked whether they may wait. */
static void add_stuck(struct refine_steps *out, const bool *open, const uint8_t *ops)
{
    for (unsigned t = 0; t < prove.threads; t++) {
        struct refine_step step = {.kind = REFINE_STUCK, .thread = (uint8_t)t, .op = ops[t]};
        if (open[t])
            add_step(out, &step, &prove_from.vector);
    }
}

/* Would the operation wait before it has done anything? Then it is not called as long as others go on: that can be done later as well, when more has returned. */
static bool would_wait(unsigned thread, unsigned op)
{
    static const uint8_t args[REFINE_ARGS_MAX] = {1, 1};
    prove_load();
    struct prove_result r = prove_begin_call(thread, op, args);
    return r.outcome == PROVE_FINE && !r.has_returned && !prove_buffer_of(thread)->count &&
           prove_is_blocked(thread);
}

/* A lock is released by the thread that has it, and not acquired again by it. */
static bool may_hold(unsigned thread, const struct prove_operation *o)
{
    uint8_t held = prove_from.vector.holds[thread] & o->held;
    return o->holding > 0 ? !held : o->holding == 0 || held;
}

static bool may_call(unsigned thread, const struct prove_operation *o)
{
    if (!may_hold(thread, o))
        return false;
    return !prove_harness.role_count || o->roles == UINT32_MAX || (o->roles & prove_role_of[thread]);
}

static void add_calls(struct refine_steps *out, unsigned thread, bool others_go_on)
{
    for (unsigned op = 0; op < prove_operation_count; op++) {
        const struct prove_operation *o = &prove_operations[op];
        struct vector next = prove_from.vector;
        if (!may_call(thread, o))
            continue;
        if (o->counts > 0 && next.inside == prove.shared->question.inside) {
            prove_search.has_cut = true;
            continue;
        }
        if (prove.program.locks && others_go_on && would_wait(thread, op))
            continue;
        struct refine_step step = {.kind = REFINE_CALL,
                                   .thread = (uint8_t)thread,
                                   .op = (uint8_t)op,
                                   .arg_count = (uint8_t)o->argument_count};
        for (uint16_t i = 0; i < step.arg_count; i++)
            step.args[i] = (uint16_t)(VECTOR_ITEMS + i);
        next.phase = CALLED;
        next.thread = (uint8_t)thread;
        next.op = (uint8_t)op;
        next.inside = (uint8_t)(next.inside + (o->counts > 0));
        if (o->holding < 0)
            next.holds[thread] &= (uint8_t)~o->held;
        add_step(out, &step, &next);
    }
}

static void add_return(struct refine_steps *out)
{
    const struct vector *v = &prove_from.vector;
    struct vector next = *v;
    struct refine_step step = {.kind = REFINE_RETURN,
                               .thread = v->thread,
                               .op = v->op,
                               .value = v->is_item ? v->args[0] : v->number,
                               .is_bad_answer = v->is_bad,
                               .answers_number = v->is_number};
    next.phase = next.thread = next.op = next.is_item = next.is_number = next.is_bad = next.drops = 0;
    next.number = 0;
    memset(next.args, 0, sizeof next.args);
    next.inside = (uint8_t)(v->inside - (v->drops && v->inside));
    if (prove_operations[v->op].holding > 0)
        next.holds[v->thread] |= prove_operations[v->op].held;
    add_step(out, &step, &next);
}

/* True: operations can be called. */
static bool add_all(struct refine_steps *out)
{
    bool open[PROVE_THREADS_MAX], waiting[PROVE_THREADS_MAX], any = false, all = true, goes_on = false;
    uint8_t ops[PROVE_THREADS_MAX];
    prove_load();
    for (unsigned t = 0; t < prove.threads; t++) {
        open[t] = prove.state.threads[t].is_open;
        waiting[t] = prove_is_waiting(t);
        ops[t] = prove.state.threads[t].op;
        any |= open[t];
        all &= open[t];
    }
    for (unsigned t = 0; t < prove.threads; t++)
        goes_on |= open[t] && add_runs(out, t, ops[t], waiting[t]);
    for (unsigned t = 0; t < prove.threads; t++)
        if (!open[t])
            add_calls(out, t, goes_on);
    if (any && (!goes_on || (prove_search.reports_hung && prove_hung_is(prove_from.vector.image))))
        add_stuck(out, open, ops);
    return !all;
}

/* --- for the checker ------------------------------------------------------------------------------------------------------------ */

/* Memory, and words that turned out to be written: looked at now and then. */
static void look_around(void)
{
    const struct prove_question *q = &prove.shared->question;
    struct prove_search *s = &prove_search;
    enum { RESTART_AFTER = 500 };
    size_t images = intern_count(&s->images.tuples);
    if ((prove.program.has_new_uses || prove_merge_has_new()) && !s->restart_at)
        s->restart_at = images + RESTART_AFTER;
    bool is_too_near = prove.met_poison && !prove.shared->question.distance;
    /* Another step, or frames as a whole; after that there is nothing to try */
    bool steps_too_small =
        s->has_unlike_twin && (q->shift_count ? !q->shift_by : q->no_liveness == PROVE_LIVENESS_DROPPED);
    if (prove.shared->stop || is_too_near || steps_too_small || (s->restart_at && images >= s->restart_at))
        s->stop = 1;
    if (q->memory_limit && (images & 1023) == 0 && prove_images_footprint(&s->images) > q->memory_limit) {
        prove_be_unsure("the search keeps more memory than it may (--memory-limit)");
        s->stop = 1;
    }
}

static void steps(const struct refine_system *s, const uint8_t *state, struct refine_steps *out)
{
    size_t before = out->steps.len;
    bool has_calls = true;
    if (prove_memo_get(state, s->state_size, out))
        return;
    memcpy(&prove_from.vector, state, sizeof prove_from.vector);
    prove_images_get(&prove_search.images, prove_from.vector.image, &prove_from.form);
    prove_from.items = 0;
    prove_from.has_twin = false;
    while (prove_from.items < VECTOR_ITEMS && prove_from.vector.items[prove_from.items])
        prove_from.items++;
    prove_merge_open(prove_from.vector.image);
    if (prove_from.vector.phase == BETWEEN)
        has_calls = add_all(out);
    else if (prove_from.vector.phase == CALLED)
        add_runs(out, prove_from.vector.thread, prove_from.vector.op, false);
    else
        add_return(out);
    prove_merge_close(prove_from.vector.image, has_calls);
    prove_memo_put(state, s->state_size, out, before);
    look_around();
}

static void initial(const struct refine_system *s, uint8_t *state)
{
    struct vector v = {.image = 0};
    (void)s;
    memcpy(state, &v, sizeof v);
}

static struct refine_place describe(const struct refine_system *s, uint32_t place)
{
    (void)s, (void)place;
    return (struct refine_place){0};
}

void prove_system_choose(uint8_t *state)
{
    struct vector v;
    memcpy(&v, state, sizeof v);
    v.args[0] = v.args[1] = 1;
    for (unsigned i = 0; i < VECTOR_ITEMS && !prove_harness.free_values; i++)
        v.args[0] = v.items[i] >= v.args[0] ? (uint8_t)(v.items[i] + 1) : v.args[0];
    memcpy(state, &v, sizeof v);
}

/* The first byte of a thread's form says whether it is in an operation. */
static bool is_open(uint32_t image)
{
    static struct prove_form form;
    bool open = false;
    prove_images_get(&prove_search.images, image, &form);
    for (unsigned t = 0; t < prove.threads; t++)
        open |= form.threads[t].data[0];
    return open;
}

bool prove_system_find_hung(void)
{
    return prove_hung_find((uint32_t)intern_count(&prove_search.images.tuples), is_open);
}

const struct prove_form *prove_system_first(void)
{
    return &first;
}

const struct refine_system *prove_system_begin(void)
{
    static struct prove_names names;
    for (uint8_t t = 0; t < prove.threads; t++)
        names.place[t] = t;
    if (prove_form_write(&first, &names, &prove_dialects[0]) != PROVE_FINE)
        return NULL;
    prove_images_clear(&prove_search.images);
    prove_memo_clear();
    prove_merge_clear();
    prove_search = (struct prove_search){.images = prove_search.images, .twins = prove_search.twins};
    CHECK(prove_images_add(&prove_search.images, &first) == 0);
    for (unsigned i = 0; i < VECTOR_ITEMS; i++)
        locations[i] = (struct refine_location){(uint32_t)(offsetof(struct vector, items) + i), 1,
                                                !prove_harness.free_values};
    for (unsigned i = 0; i < REFINE_ARGS_MAX; i++)
        locations[VECTOR_ITEMS + i] = (struct refine_location){(uint32_t)(offsetof(struct vector, args) + i),
                                                               1, !prove_harness.free_values};
    for (unsigned i = 0; i < prove_operation_count; i++)
        names_of_ops[i] = prove_operations[i].part->name;
    system_ = (struct refine_system){
        .name = "the harness",
        .state_size = sizeof(struct vector),
        .threads = prove.threads,
        .ops = names_of_ops,
        .op_count = prove_operation_count,
        .locations = locations,
        .location_count = VECTOR_ITEMS + REFINE_ARGS_MAX,
        .initial = initial,
        .steps = steps,
        .describe = describe,
    };
    return &system_;
}
