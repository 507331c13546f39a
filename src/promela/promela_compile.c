/* SPDX-License-Identifier: Apache-2.0 */
/* From control flow to the steps of every process. Steps between which nothing can come become one: inside atomic and d_step,
 * a statement that cannot wait is done together with the one before. */
#include "promela/promela_code.h"
#include "promela/promela_parser.h"

#include <string.h>

enum { FUSED_MAX = 64, PROCESSES_MAX = 255 };

static struct promela_graph *graph_of(struct promela_system *s, const struct promela_process_type *type)
{
    for (size_t i = 0; i < s->graphs.len; i++)
        if (s->graphs.data[i].type == type)
            return &s->graphs.data[i];
    return NULL;
}

static void add_process(struct promela_system *s, const struct promela_process_type *type)
{
    struct promela_process p = {.type = type,
                                .name = type->name->text,
                                .number = (uint32_t)s->processes.len,
                                .thread = REFINE_NO_THREAD};
    if (s->processes.len == PROCESSES_MAX)
        promela_fail(&s->model.text, PL_MODEL_MEANING, type->place, "there are at most %d processes",
                     PROCESSES_MAX);
    if (type->calls) {
        if (s->system.threads == REFINE_THREADS_MAX)
            promela_fail(&s->model.text, PL_MODEL_MEANING, type->place,
                         "there are at most %d processes that call operations", REFINE_THREADS_MAX);
        p.thread = (uint8_t)s->system.threads++;
    }
    vec_push(&s->processes, p);
}

static struct promela_process_type *find_type(struct promela_system *s, const struct promela_name *name)
{
    for (struct promela_process_type *t = s->model.types; t; t = t->next)
        if (t->name == name && !t->is_init)
            return t;
    return NULL;
}

/* The processes that `run` starts come behind those that are there from the beginning. */
static void add_runs(struct promela_system *s)
{
    for (size_t i = 0; i < s->model.runs.len; i++) {
        struct promela_statement *run = s->model.runs.data[i];
        struct promela_process_type *type = find_type(s, run->target);
        uint32_t count = 0;
        if (!type)
            promela_fail(&s->model.text, PL_MODEL_MEANING, run->at, "there is no process \"%s\"",
                         run->target->text);
        for (struct promela_expression *e = run->expression; e; e = e->next)
            count++;
        if (count != type->parameter_count)
            promela_fail(&s->model.text, PL_MODEL_MEANING, run->at,
                         "parameters of %s: %u, arguments here: %u", type->name->text, type->parameter_count,
                         count);
        run->instance = (uint32_t)s->processes.len;
        add_process(s, type);
    }
}

static const struct promela_process_type *sequential_type(struct promela_system *s)
{
    const struct promela_process_type *found = NULL;
    uint32_t marked = 0, all = 0;
    for (struct promela_process_type *t = s->model.types; t; t = t->next) {
        marked += t->is_sequential;
        all++;
        if (t->is_sequential || !found)
            found = t;
    }
    struct promela_place at = found ? found->place : (struct promela_place){0, 1, 1};
    if (marked > 1 || (marked == 0 && all != 1))
        promela_fail(&s->model.text, PL_MODEL_MEANING, at,
                     "a specification has one proctype that is marked SEQUENTIAL; here are %u", marked);
    if (!found->calls || found->is_init)
        promela_fail(&s->model.text, PL_MODEL_MEANING, at, "a specification has operations: CALL and RET");
    return found;
}

static void find_processes(struct promela_system *s, bool sequential)
{
    if (sequential) {
        add_process(s, sequential_type(s));
        s->active_count = 1;
        return;
    }
    for (struct promela_process_type *t = s->model.types; t; t = t->next)
        for (uint32_t i = 0; i < t->active && !t->is_sequential; i++)
            add_process(s, t);
    s->active_count = (uint32_t)s->processes.len;
    add_runs(s);
    if (s->processes.len == 0)
        promela_fail(&s->model.text, PL_MODEL_MEANING, (struct promela_place){0, 1, 1},
                     "nothing runs: there is neither an active process nor init");
}

static bool never_waits(const struct promela_edge *e)
{
    if (e->is_else || e->entry != NO_NODE)
        return false;
    int32_t value;
    enum promela_statement_kind kind = e->statement ? e->statement->kind : STATEMENT_GOTO;
    if (kind == STATEMENT_CONDITION)
        return promela_constant_value(e->statement->expression, &value) && value;
    return kind == STATEMENT_ASSIGN || kind == STATEMENT_ASSERT || kind == STATEMENT_PRINT ||
           kind == STATEMENT_GOTO || kind == STATEMENT_POINT;
}

/* The only edge of the node that `e` leads to, if it can be one step with it. */
static const struct promela_edge *follower(const struct promela_graph *g, const struct promela_edge *e,
                                           bool inside)
{
    const struct promela_node *to = &g->nodes.data[e->to];
    bool joined = inside ? to->is_inside : e->holds;
    return joined && to->edges.len == 1 && never_waits(&to->edges.data[0]) ? &to->edges.data[0] : NULL;
}

static void start_process(struct promela_system *s, uint32_t number, const struct promela_process *by,
                          const struct promela_statement *run);

/* Emits the effect and what can be done with it; gives the last edge. */
static const struct promela_edge *emit_effects(struct promela_system *s, const struct promela_process *p,
                                               const struct promela_graph *g, const struct promela_edge *e,
                                               bool inside, bool *is_local)
{
    for (uint32_t fused = 0;; fused++) {
        if (e->statement && e->statement->kind == STATEMENT_RUN)
            start_process(s, e->statement->instance, p, e->statement);
        promela_emit_effect(s, p, e);
        *is_local &= e->is_local;
        const struct promela_edge *next = fused < FUSED_MAX ? follower(g, e, inside) : NULL;
        if (!next)
            return e;
        e = next;
    }
}

static uint8_t kind_of(const struct promela_edge *e)
{
    if (!e->statement)
        return REFINE_INTERNAL;
    return e->statement->kind == STATEMENT_CALL     ? REFINE_CALL
           : e->statement->kind == STATEMENT_RETURN ? REFINE_RETURN
                                                    : REFINE_INTERNAL;
}

static void emit_condition(struct promela_system *s, const struct promela_process *p,
                           const struct promela_edge *e, struct promela_step *step)
{
    step->condition = NO_CODE;
    if (e->statement && e->statement->kind == STATEMENT_CONDITION)
        step->condition = promela_emit_condition(s, p, e->statement->expression, e->place);
}

/* A d_step that is a line of statements is one step without places inside. */
static const struct promela_edge *simple_d_step(const struct promela_graph *g, const struct promela_edge *e)
{
    if (e->entry == NO_NODE || g->nodes.data[e->entry].edges.len != 1)
        return NULL;
    const struct promela_edge *first = &g->nodes.data[e->entry].edges.data[0], *last = first;
    if (first->entry != NO_NODE || first->is_else)
        return NULL;
    for (uint32_t fused = 0; last && last->to != e->to && fused < FUSED_MAX; fused++)
        last = follower(g, last, true);
    return last && last->to == e->to ? first : NULL;
}

static void emit_step(struct promela_system *s, struct promela_process *p, const struct promela_graph *g,
                      const struct promela_edge *e, bool inside)
{
    struct promela_step step = {
        .kind = kind_of(e), .place = e->place, .is_else = e->is_else, .answer = NO_CODE};
    const struct promela_edge *simple = simple_d_step(g, e);
    bool is_local = e->is_local;
    if (step.kind != REFINE_INTERNAL) {
        step.operation = (uint8_t)e->statement->operation;
        step.argument_count = e->statement->argument_count;
    }
    emit_condition(s, p, simple ? simple : e, &step);
    if (step.kind == REFINE_RETURN) {
        step.answer = (uint32_t)s->code.len;
        promela_emit_value(s, p, e->statement->expression, e->place);
        promela_emit(s, CODE_END, 0, 0, e->place);
    }
    step.entry = e->entry != NO_NODE && !simple ? g->nodes.data[e->entry].number : NO_NODE;
    step.effect = (uint32_t)s->code.len;
    if (simple)
        emit_effects(s, p, g, simple, true, &is_local);
    const struct promela_edge *last = emit_effects(s, p, g, e, inside, &is_local);
    promela_emit(s, CODE_END, 0, 0, e->place);
    if (s->code.len - step.effect == 1)
        step.effect = NO_CODE;
    step.to = g->nodes.data[last->to].number;
    step.holds = last->holds;
    step.is_local = is_local && step.kind == REFINE_INTERNAL;
    vec_push(&s->steps, step);
}

static bool has_shared_condition(const struct promela_edge *e)
{
    return !e->is_private &&
           (e->entry != NO_NODE || (e->statement && e->statement->kind == STATEMENT_CONDITION));
}

static void emit_process(struct promela_system *s, struct promela_process *p)
{
    const struct promela_graph *g = graph_of(s, p->type);
    for (size_t n = 0; n < g->nodes.len; n++) {
        const struct promela_node *node = &g->nodes.data[n];
        if (!node->is_reachable)
            continue;
        struct promela_stand *stand = &p->stands[node->number];
        stand->first = (uint32_t)s->steps.len;
        stand->count = (uint32_t)node->edges.len;
        stand->is_end = node->is_end;
        for (size_t i = 0; i < node->edges.len; i++) {
            stand->has_shared_condition |= has_shared_condition(&node->edges.data[i]);
            emit_step(s, p, g, &node->edges.data[i], node->is_inside);
        }
    }
}

static void emit_initial(struct promela_system *s, const struct promela_process *p,
                         const struct promela_variable *v)
{
    const struct promela_expression *value = v->initial;
    for (uint32_t i = 0; value && i < v->count; i++) {
        promela_emit_store(s, p, v, i, value, 0);
        if (value->next)
            value = value->next;
    }
}

static void clear_dead(struct promela_system *s, const struct promela_process *p)
{
    const struct promela_graph *g = graph_of(s, p->type);
    const uint64_t *live = g->nodes.data[g->start].live;
    for (const struct promela_variable *v = p->type->variables; v; v = v->next)
        if (!s->like_spin && !(live[v->number / 64] >> v->number % 64 & 1))
            promela_emit(s, CODE_CLEAR, (int32_t)(p->offset + s->place_width + v->offset), v->size, 0);
}

/* Parameters, initial values, place: the process exists. */
static void start_process(struct promela_system *s, uint32_t number, const struct promela_process *by,
                          const struct promela_statement *run)
{
    const struct promela_process *p = &s->processes.data[number];
    const struct promela_variable *v = p->type->variables;
    uint32_t place = run ? run->place : 0;
    for (const struct promela_expression *e = run ? run->expression : NULL; e; e = e->next, v = v->next) {
        promela_emit_value(s, by, e, place);
        promela_emit_parameter(s, p, v, place);
    }
    for (v = p->type->variables; v; v = v->next)
        emit_initial(s, p, v);
    clear_dead(s, p);
    for (uint32_t i = 0; i < s->place_width; i++)
        promela_emit(s, CODE_SET8, (int32_t)(p->offset + i), p->start >> 8 * i & 255, place);
}

static void emit_prologue(struct promela_system *s)
{
    static const struct promela_process no_process = {.number = 0};
    s->global_prologue = (uint32_t)s->code.len;
    for (const struct promela_variable *v = s->model.globals; v; v = v->next)
        emit_initial(s, &no_process, v);
    for (uint32_t i = 0; i < s->active_count; i++)
        start_process(s, i, NULL, NULL);
    promela_emit(s, CODE_END, 0, 0, 0);
}

static void build_graphs(struct promela_system *s)
{
    struct promela_place nowhere = {0, 1, 1};
    for (struct promela_process_type *t = s->model.types; t; t = t->next) {
        struct promela_graph g = {0};
        vec_push(&s->graphs, g);
        promela_graph_build(&vec_last(&s->graphs), &s->model, t, s->like_spin);
        promela_analyse(&vec_last(&s->graphs));
        uint32_t count = (uint32_t)vec_last(&s->graphs).nodes.len;
        if (count >= UINT16_MAX)
            promela_fail(&s->model.text, PL_MODEL_MEANING, nowhere, "%s is too large", t->name->text);
        if (count >= UINT8_MAX)
            s->place_width = 2;
    }
}

static void set_stands(struct promela_system *s)
{
    for (size_t i = 0; i < s->processes.len; i++) {
        struct promela_process *p = &s->processes.data[i];
        const struct promela_graph *g = graph_of(s, p->type);
        p->stand_count = (uint32_t)g->nodes.len + 1;
        p->stands = promela_alloc(&s->model.text, p->stand_count * sizeof *p->stands);
        p->start = g->nodes.data[g->start].number;
        p->end = g->nodes.data[g->end].number;
    }
}

void promela_compile(struct promela_system *s, const struct promela_settings *settings)
{
    s->like_spin = settings->keep_dead;
    s->place_width = 1;
    find_processes(s, settings->sequential);
    build_graphs(s);
    set_stands(s);
    promela_lay_out(s);
    for (size_t i = 0; i < s->processes.len; i++)
        emit_process(s, &s->processes.data[i]);
    emit_prologue(s);
    promela_find_items(s);
}
