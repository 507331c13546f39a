/* SPDX-License-Identifier: Apache-2.0 */
/* What the operations of the harness answer one after the other: the specification of an object without one, or of another implementation. Every state
 * that they leave behind, with every call of every thread. */
#include "prove/prove_serial.h"

#include "base/hash.h"
#include "prove/prove_form.h"
#include "prove/prove_harness.h"
#include "spec/aliases.h"
#include "spec/registry.h"

#include <stdio.h>
#include <string.h>

enum { STEPS_MOST = 1 << 16, STEPS_FEW = 16 };

static struct prove_images images;
static VEC(uint64_t) states; /* image << 32 | items inside */
static struct hash_map numbers;

/* --- one call ----------------------------------------------------------------------------------------------------------- */

struct end {
    enum prove_outcome outcome; /* BLOCKED: it waits, or goes round forever */
    plumb_value answer;
};

/* Alone a thread that comes to a state for the second time never returns. */
static struct end run_call(unsigned thread, unsigned op, const int64_t *numbers_of_call)
{
    static struct prove_form seen, now;
    static struct prove_names names;
    uint32_t next =
        STEPS_FEW; /* most operations end before that; then a state is kept at every power of two */
    prove.wakes = UINT32_MAX;
    struct prove_result r = prove_begin(thread, op, numbers_of_call);
    for (uint32_t i = 0; r.outcome == PROVE_FINE && !r.has_returned; i++) {
        if (prove_is_blocked(thread))
            return (struct end){.outcome = PROVE_BLOCKED};
        if (i == STEPS_MOST)
            return (struct end){.outcome = prove_note(PROVE_UNSURE, "%s does not end when it is alone",
                                                      prove_operations[op].part->name)};
        if (i > STEPS_FEW && prove_form_make(&now, &names) == PROVE_FINE && prove_form_equals(&seen, &now))
            return (struct end){.outcome = PROVE_BLOCKED};
        if (i == next) {
            prove_form_make(&seen, &names);
            next *= 2;
        }
        r = prove_step(thread, NULL);
    }
    return (struct end){r.outcome, r.value};
}

/* --- states ---------------------------------------------------------------------------------------------------------------- */

/* The present one: no thread is in an operation, and none changes its place. */
static bool find_image(uint32_t *image)
{
    static struct prove_form form;
    static struct prove_names names;
    for (uint8_t t = 0; t < prove.threads; t++)
        names.place[t] = t;
    prove_lines_look();
    if (prove_form_write(&form, &names, prove_dialects) != PROVE_FINE)
        return false;
    *image = prove_images_add(&images, &form);
    return true;
}

static uint32_t number_of(uint32_t image, uint32_t inside)
{
    uint64_t key = (uint64_t)image << 32 | inside;
    uint32_t *known = hash_map_at(&numbers, key);
    if (*known == HASH_NO_NUMBER) {
        *known = (uint32_t)states.len;
        vec_push(&states, key);
    }
    return *known;
}

/* After a call that has returned. What changes nothing adds and removes nothing. */
static bool add_state(struct serial_table *t, uint32_t from, unsigned op, struct table_edge *e)
{
    uint32_t image, inside = (uint32_t)states.data[from];
    if (!find_image(&image))
        return false;
    bool changes = image != states.data[from] >> 32;
    t->answers[e->answer].changes |= changes;
    t->answers[e->answer].leaves |= !changes;
    if (changes && t->ops[op].counts > 0)
        inside++;
    else if (changes && t->ops[op].counts < 0 && inside)
        inside--;
    e->to = number_of(image, inside);
    return true;
}

static void load(uint32_t state)
{
    static struct prove_form form;
    prove_images_get(&images, (uint32_t)(states.data[state] >> 32), &form);
    prove_form_read(&form, prove_dialects);
}

/* False: prove.problem says why. */
static bool follow_call(struct serial_table *t, uint32_t state, unsigned thread, unsigned op, uint32_t number)
{
    struct table_edge *e = table_edge(t, state, thread, t->ops[op].first_call + number);
    uint32_t inside = (uint32_t)states.data[state];
    int64_t arguments[PLUMB_ARGUMENTS_MAX] = {0};
    for (unsigned i = t->ops[op].arg_count; i-- > 0; number /= t->values)
        arguments[i] = number % t->values + 1;
    e->to = TABLE_UNKNOWN;
    if (t->ops[op].counts > 0 && inside == prove.shared->question.inside)
        return true;
    load(state);
    struct end end = run_call(thread, op, arguments);
    if (end.outcome == PROVE_BLOCKED)
        e->to = TABLE_WAITS;
    if (end.outcome == PROVE_BLOCKED || end.outcome == PROVE_FAULT)
        return true;
    if (end.outcome != PROVE_FINE)
        return false;
    e->answer = table_find_answer(t, prove_values(), op, end.answer, true);
    if (e->answer == UINT32_MAX) {
        prove_note(PROVE_UNSURE, "%s answers too many things, or too long ones", t->ops[op].name);
        return false;
    }
    return add_state(t, state, op, e);
}

static bool follow_state(struct serial_table *t, uint32_t state)
{
    bool fine = true;
    for (unsigned thread = 0; thread < t->threads && fine; thread++)
        for (unsigned op = 0; op < t->op_count && fine; op++) {
            uint32_t end = op + 1 < t->op_count ? t->ops[op + 1].first_call : t->calls;
            for (uint32_t k = 0; k < end - t->ops[op].first_call && fine; k++)
                fine = follow_call(t, state, thread, op, k);
        }
    return fine;
}

/* --- the table -------------------------------------------------------------------------------------------------------------- */

/* "try_dequeue" is "dequeue". */
static uint32_t find_named(const struct plumb_spec *spec, const char *name)
{
    static const char tries[] = "try_";
    uint32_t op = spec_operation_meant(spec, name);
    bool is_try = strncmp(name, tries, sizeof tries - 1) == 0;
    return op == UINT32_MAX && is_try ? spec_operation_meant(spec, name + sizeof tries - 1) : op;
}

/* How many of the operations a specification has, by name; 0: not both additions and removals are among them. */
static unsigned likeness(const struct serial_table *t, const struct plumb_spec *spec)
{
    unsigned count = 0;
    bool adds = false, removes = false;
    for (uint32_t i = 0; i < t->op_count; i++) {
        uint32_t op = find_named(spec, t->ops[i].name);
        count += op != UINT32_MAX;
        adds |= op != UINT32_MAX && prove_count_of(&spec->operations[op]) > 0;
        removes |= op != UINT32_MAX && prove_count_of(&spec->operations[op]) < 0;
    }
    return adds && removes ? count : 0;
}

/* A container by the names of its operations: then `--inside` counts. */
static const struct plumb_spec *find_container(const struct serial_table *t)
{
    const struct plumb_spec *most = NULL;
    for (unsigned i = 0; i < spec_count; i++)
        if (likeness(t, spec_all[i]) > (most ? likeness(t, most) : 0))
            most = spec_all[i];
    return most;
}

static void begin_table(struct serial_table *t)
{
    t->threads = prove.threads;
    t->values = prove.shared->question.free_values ? prove.shared->question.free_values : 2;
    t->op_count = prove_operation_count;
    for (uint32_t i = 0; i < t->op_count; i++) {
        t->ops[i].arg_count = prove_operations[i].argument_count;
        snprintf(t->ops[i].name, sizeof t->ops[i].name, "%.*s", (int)sizeof t->ops[i].name - 1,
                 prove_operations[i].part->name);
    }
    const struct plumb_spec *like = find_container(t);
    for (uint32_t i = 0; i < t->op_count && like; i++) {
        uint32_t op = find_named(like, t->ops[i].name);
        t->ops[i].counts = op == UINT32_MAX ? 0 : prove_count_of(&like->operations[op]);
    }
}

static const char *explore(struct serial_table *t)
{
    uint32_t first;
    if (!table_number_calls(t))
        return "the operations have too many calls";
    if (!find_image(&first))
        return prove.problem;
    number_of(first, 0);
    for (uint32_t i = 0; i < states.len; i++) {
        if ((uint64_t)(i + 1) * t->threads * t->calls > TABLE_EDGES_MAX)
            return "run one after the other, the operations have no end of states: --spec names what they "
                   "are";
        if (prove.shared->stop)
            return "the time is up";
        if (!follow_state(t, i))
            return prove.problem;
    }
    t->state_count = (uint32_t)states.len;
    table_fold(t);
    if (!table_compare_threads(t))
        return "run one after the other, the operations answer otherwise in other threads";
    table_settle_answers(t);
    return NULL;
}

const char *prove_serial_runs(void)
{
    struct serial_table *t = &prove.shared->table;
    if (prove.program.knows_threads)
        return "operations that ask for the number of their thread have no specification from serial runs";
    begin_table(t);
    const char *why = explore(t);
    if (why)
        t->state_count = 0;
    return why;
}
