/* SPDX-License-Identifier: Apache-2.0 */
/* A run that was repeated becomes what reports are made of, and the monitor judges its history: the second opinion. */
#include "base/memory.h"
#include "prove/prove_verbs.h"
#include "proving/proving.h"
#include "spec/registry.h"
#include "target/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- steps in words ---------------------------------------------------------------------------------------------------- */

static struct refine_place describe(const struct refine_system *s, uint32_t place)
{
    const struct proving *p = (const struct proving *)((const char *)s - offsetof(struct proving, system));
    return place < p->places.len ? p->places.data[place] : (struct refine_place){0};
}

/* Of a block that is freed all of it. */
static uint64_t size_of(const struct prove_shared *s, const struct prove_event *e, unsigned kind)
{
    for (uint32_t i = 0; kind == PROVE_FREE && i < s->allocation_count; i++)
        if (s->allocations[i].address == e->address)
            return s->allocations[i].size;
    return kind >= PROVE_FREE && e->reuse != PROVE_DRAIN ? 0 : UINT64_C(1) << (e->hook & 7);
}

static void add_what(struct text *out, struct symbols *names, const struct prove_shared *s,
                     const struct prove_event *e)
{
    unsigned kind = e->hook / 8;
    const char *verb = prove_verb(kind);
    if (e->kind == PROVE_FAULT_EVENT && kind == PROVE_COND_WAITING)
        verb = prove_verb(PROVE_COND_WAIT);
    if (e->hook == PROVE_ID(PROVE_COND_WAITING, 1) && e->reuse != PROVE_WAKES)
        verb = "the time is over:";
    text_puts(out, e->reuse == PROVE_DRAIN ? "the store reaches memory:" : verb);
    if (kind >= PROVE_MALLOC && kind <= PROVE_ALIGNED) {
        text_puts(out, e->reuse >= 0 ? ": a block again that was freed" : "");
        return;
    }
    if (!e->address)
        return;
    text_puts(out, " ");
    symbols_location(names, e->address, size_of(s, e, kind), out);
}

static void add_place(struct proving *p, struct symbols *names, const struct prove_shared *s,
                      const struct prove_event *e)
{
    struct refine_place at = {0};
    struct symbol_place source;
    struct text text = {0};
    if (e->kind != PROVE_STEP_EVENT && e->kind != PROVE_FAULT_EVENT) {
        vec_push(&p->places, at);
        return;
    }
    if (e->pc && symbols_line(names, e->pc, &source) && source.at.file) {
        at.file = source.at.file;
        at.line = source.at.line;
    }
    if (e->kind == PROVE_FAULT_EVENT)
        text_printf(&text, "%s: ", p->why);
    add_what(&text, names, s, e);
    vec_push(&p->texts, text_take(&text));
    at.text = vec_last(&p->texts);
    if (at.file) {
        vec_push(&p->texts, base_strndup(at.file, strlen(at.file)));
        at.file = vec_last(&p->texts);
    }
    vec_push(&p->places, at);
}

static void add_places(struct proving *p, const char *path, const struct prove_shared *s)
{
    struct diagnostic d = {0};
    struct worker_module program = {0};
    snprintf(program.path, sizeof program.path, "%s", path);
    struct symbols *names = symbols_open(&program, 1, &d);
    for (uint32_t i = 0; i < s->allocation_count; i++)
        symbols_add_heap(names, s->allocations[i].address, s->allocations[i].size, &s->allocations[i].pc, 1);
    for (uint32_t i = 0; i < s->event_count; i++)
        add_place(p, names, s, &s->events[i]);
    symbols_close(names);
}

/* --- the run ----------------------------------------------------------------------------------------------------------- */

/* Threads of tests are counted from 1, here as elsewhere. */
static uint8_t shown_thread(const struct prove_event *e)
{
    return (uint8_t)(e->thread + 1);
}

static void add_event(struct proving *p, const struct prove_event *e, uint32_t number, unsigned arguments)
{
    static const uint8_t kinds[] = {[PROVE_CALL_EVENT] = REFINE_CALL,
                                    [PROVE_STEP_EVENT] = REFINE_INTERNAL,
                                    [PROVE_RETURN_EVENT] = REFINE_RETURN,
                                    [PROVE_FAULT_EVENT] = REFINE_FAULT};
    struct refine_event to = {.step = {.kind = kinds[e->kind % 4],
                                       .thread = shown_thread(e),
                                       .op = e->op,
                                       .value = e->number == (int32_t)e->number ? (int32_t)e->number : -1,
                                       .is_integer = plumb_is_int((plumb_value)e->value),
                                       .place = number}};
    if (e->kind == PROVE_CALL_EVENT) {
        to.step.arg_count = (uint8_t)(arguments < REFINE_ARGS_MAX ? arguments : REFINE_ARGS_MAX);
        for (unsigned i = 0; i < to.step.arg_count; i++)
            to.args[i] = (int32_t)e->numbers[i];
        p->calls++;
    }
    p->has_spurious |= e->kind == PROVE_STEP_EVENT && e->hook / 8 == PROVE_COND_WAITING &&
                       (e->hook % 8 == 0 || e->reuse == PROVE_WAKES);
    p->steps += e->kind == PROVE_STEP_EVENT || e->kind == PROVE_FAULT_EVENT;
    vec_push(&p->run.run, to);
}

static void make_run(struct proving *p, const struct prove_shared *s, const struct plumb_spec *spec)
{
    for (uint32_t i = 0; i < s->event_count; i++) {
        uint32_t op = spec_operation(spec, s->operations[s->events[i].op]);
        add_event(p, &s->events[i], i, op == UINT32_MAX ? 0 : (unsigned)strlen(spec->operations[op].args));
    }
    p->run.verdict = VERDICT_VIOLATED;
    p->run.reason =
        s->reason == PROVE_A_FAULT || s->reason == PROVE_STUCK ? REFINE_MODEL_FAULT : REFINE_NO_EXPLANATION;
}

/* Every order of what has taken effect has to let it return. */
static bool must_return(struct proving *p, const struct prove_shared *s)
{
    const struct plumb_spec *spec = p->outcome.spec;
    if (*p->question.quasi && spec->kind == PLUMB_KIND_OTHER)
        return false;
    struct history *h = refine_history(&p->system, &p->run, spec, p->outcome.full_any);
    bool must = proving_must_return(spec, h, shown_thread(&s->events[s->event_count - 1]));
    history_destroy(h);
    return must;
}

/* Of an answer that the monitor cannot even read, the checker of types was the judge. */
static bool is_confirmed(struct proving *p, const struct prove_shared *s)
{
    if (table_met_unknown() && s->reason != PROVE_A_FAULT) {
        snprintf(p->why, sizeof p->why, "serial runs were not followed so far as they are needed");
        return false;
    }
    if (s->reason == PROVE_STUCK && !must_return(p, s)) {
        snprintf(p->why, sizeof p->why,
                 "an operation never returns, but that it may not wait was not confirmed");
        return false;
    }
    if (p->run.reason != REFINE_NO_EXPLANATION || p->found.by_monitor)
        return true;
    if (s->reason == PROVE_BAD_ANSWER && p->found.in.error.code) {
        explain_model_free(&p->found);
        p->run.reason = REFINE_BAD_ANSWER;
        explain_model(&p->found, &p->outcome, true);
        return true;
    }
    snprintf(
        p->why, sizeof p->why, "%s",
        s->reason == PROVE_BAD_ANSWER
            ? "an operation answers what is no item, but not if items are small numbers: it computes with "
              "items, or keeps a part of them"
            : "an error was found, but the monitor did not confirm it");
    return false;
}

bool proving_explain(struct proving *p, const char *path, const struct prove_shared *replayed)
{
    const struct plumb_spec *spec =
        p->answer->table.state_count ? table_spec(&p->answer->table) : spec_find(replayed->spec);
    if (!spec) {
        snprintf(p->why, sizeof p->why, "the specification of the harness is not known");
        return false;
    }
    for (uint32_t i = 0; i < replayed->operation_count; i++) {
        p->ops[i] = p->answer->operations[i];
        spec = spec_with_operation(spec, p->ops[i]);
    }
    p->system = (struct refine_system){.name = p->name,
                                       .threads = replayed->question.threads + 1,
                                       .ops = p->ops,
                                       .op_count = replayed->operation_count,
                                       .describe = describe};
    add_places(p, path, replayed);
    make_run(p, replayed, spec);
    p->outcome = (struct refine_outcome){.name = p->name,
                                         .is_program = true,
                                         .specification = p->answer->spec,
                                         .quasi = *p->question.quasi ? p->question.quasi : NULL,
                                         .full_any = !spec_base_of_bounded(spec, &(uint64_t){0}),
                                         .system = &p->system,
                                         .spec = spec,
                                         .result = &p->run};
    explain_model(&p->found, &p->outcome, true);
    return is_confirmed(p, replayed);
}
