/* SPDX-License-Identifier: Apache-2.0 */
#include "promela/promela_graph.h"

#include <string.h>

struct builder {
    struct promela_graph *g;
    struct promela_text *t;
    uint32_t break_to;
    uint32_t atomics;
    const struct promela_statement *d_step;
    bool like_spin;
};

static void build_sequence(struct builder *b, const struct promela_statement *list, uint32_t from,
                           uint32_t to, bool is_nested);

static struct promela_node *node_at(struct builder *b, uint32_t n)
{
    return &b->g->nodes.data[n];
}

static uint32_t new_node(struct builder *b)
{
    struct promela_node n = {
        .alias = (uint32_t)b->g->nodes.len, .is_atomic = b->atomics > 0, .is_inside = b->d_step != NULL};
    vec_push(&b->g->nodes, n);
    return (uint32_t)(b->g->nodes.len - 1);
}

static struct promela_edge *add_edge(struct builder *b, uint32_t from, uint32_t to,
                                     const struct promela_statement *s)
{
    struct promela_edge e = {.statement = s,
                             .place = s->place,
                             .to = to,
                             .entry = NO_NODE,
                             .is_else = s->kind == STATEMENT_ELSE,
                             .is_atomic = b->atomics > 0};
    struct promela_node *n = node_at(b, from);
    vec_push(&n->edges, e);
    return &vec_last(&n->edges);
}

/* `from` is the same place as `to`, or one of its choices is to be there. */
static void add_same(struct builder *b, uint32_t from, uint32_t to)
{
    struct promela_edge e = {.to = to, .entry = NO_NODE, .is_same = true};
    vec_push(&node_at(b, from)->edges, e);
}

static struct promela_label *find_label(struct builder *b, const struct promela_statement *s)
{
    struct promela_label *any = NULL;
    for (struct promela_label *l = b->g->type->labels; l; l = l->next) {
        if (l->name != s->target)
            continue;
        if (l->inlined == s->inlined)
            return l;
        any = l;
    }
    if (!any)
        promela_fail(b->t, PL_MODEL_MEANING, s->at, "there is no label \"%s\"", s->target->text);
    return any;
}

/* Jumps are no steps, except where a choice or a block begins with one. */
static void build_jump(struct builder *b, const struct promela_statement *s, uint32_t from, uint32_t target,
                       bool is_first)
{
    if (is_first)
        add_edge(b, from, target, s)->statement = NULL;
    else
        add_same(b, from, target);
}

static void build_goto(struct builder *b, const struct promela_statement *s, uint32_t from, bool is_first)
{
    struct promela_label *l = find_label(b, s);
    if (l->d_step != b->d_step)
        promela_fail(b->t, PL_MODEL_MEANING, s->at, "goto %s jumps %s a d_step", s->target->text,
                     b->d_step ? "out of" : "into");
    build_jump(b, s, from, l->node, is_first);
}

/* `else` comes last: it is possible when nothing before it is. */
static void build_options(struct builder *b, const struct promela_statement *s, uint32_t from, uint32_t to)
{
    for (int elses = 0; elses <= 1; elses++)
        for (const struct promela_statement *o = s->options; o; o = o->next)
            if ((o->body->kind == STATEMENT_ELSE) == elses)
                build_sequence(b, o->body, from, to, true);
}

static void build_do(struct builder *b, const struct promela_statement *s, uint32_t from, uint32_t to,
                     bool is_first)
{
    uint32_t outer = b->break_to, loop = new_node(b);
    node_at(b, loop)->is_apart = is_first && b->like_spin;
    add_same(b, from, loop);
    b->break_to = to;
    build_options(b, s, loop, loop);
    b->break_to = outer;
}

/* The steps of an atomic that lead to its end are its last ones. */
static void build_atomic(struct builder *b, const struct promela_statement *s, uint32_t from, uint32_t to)
{
    uint32_t first = (uint32_t)b->g->nodes.len;
    b->atomics++;
    build_sequence(b, s->body, from, to, true);
    b->atomics--;
    for (uint32_t n = first; b->atomics == 0 && n <= b->g->nodes.len; n++) {
        struct promela_node *node = node_at(b, n == b->g->nodes.len ? from : n);
        for (size_t i = 0; i < node->edges.len; i++)
            node->edges.data[i].releases |= node->edges.data[i].to == to;
    }
}

static void build_d_step(struct builder *b, const struct promela_statement *s, uint32_t from, uint32_t to)
{
    const struct promela_statement *outer = b->d_step;
    b->d_step = s;
    uint32_t entry = new_node(b), leave = new_node(b);
    add_edge(b, from, to, s)->entry = entry;
    build_sequence(b, s->body, entry, leave, true);
    add_same(b, leave, to);
    b->d_step = outer;
}

static void build_select(struct builder *b, const struct promela_statement *s, uint32_t from, uint32_t to)
{
    for (int64_t v = s->low; v <= s->high; v++)
        add_edge(b, from, to, s)->value = (int32_t)v;
}

static void build_statement(struct builder *b, const struct promela_statement *s, uint32_t from, uint32_t to,
                            bool is_first)
{
    switch (s->kind) {
    case STATEMENT_GOTO: build_goto(b, s, from, is_first); break;
    case STATEMENT_BREAK: build_jump(b, s, from, b->break_to, is_first); break;
    case STATEMENT_IF: build_options(b, s, from, to); break;
    case STATEMENT_DO: build_do(b, s, from, to, is_first); break;
    case STATEMENT_BLOCK: build_sequence(b, s->body, from, to, true); break;
    case STATEMENT_ATOMIC: build_atomic(b, s, from, to); break;
    case STATEMENT_D_STEP: build_d_step(b, s, from, to); break;
    case STATEMENT_SELECT: build_select(b, s, from, to); break;
    default: add_edge(b, from, to, s);
    }
}

static void refuse_stray_else(struct builder *b, const struct promela_statement *s, bool is_first)
{
    if (s->kind == STATEMENT_ELSE && !is_first)
        promela_fail(b->t, PL_MODEL_MEANING, s->at, "else is the first statement of a choice");
}

static void build_sequence(struct builder *b, const struct promela_statement *list, uint32_t from,
                           uint32_t to, bool is_nested)
{
    bool is_first = is_nested;
    for (const struct promela_statement *s = list; s; s = s->next, is_first = false) {
        uint32_t next = s->next ? new_node(b) : to;
        refuse_stray_else(b, s, is_first);
        for (struct promela_label *l = s->labels; l; l = l->same_place) {
            add_same(b, from, l->node);
            node_at(b, l->node)->is_atomic = b->atomics > 0;
            node_at(b, l->node)->is_inside = b->d_step != NULL;
            node_at(b, l->node)->is_end = strncmp(l->name->text, "end", 3) == 0;
            from = l->node;
        }
        build_statement(b, s, from, next, is_first);
        from = next;
    }
}

/* A node that is nothing but another place is that place. */
static void find_aliases(struct builder *b)
{
    for (uint32_t n = 0; n < b->g->nodes.len; n++) {
        struct promela_node *node = node_at(b, n);
        const struct promela_edge *e = node->edges.data;
        if (node->edges.len == 1 && e->is_same && !node_at(b, e->to)->is_apart)
            node->alias = e->to;
    }
    for (uint32_t n = 0; n < b->g->nodes.len; n++) {
        uint32_t end = n, steps = 0;
        bool is_end = false;
        while (node_at(b, end)->alias != end && steps++ <= b->g->nodes.len) {
            is_end |= node_at(b, end)->is_end;
            end = node_at(b, end)->alias;
        }
        if (steps > b->g->nodes.len)
            promela_fail(b->t, PL_MODEL_MEANING, b->g->type->place, "%s jumps in a cycle without a step",
                         b->g->type->name->text);
        node_at(b, n)->alias = end;
        node_at(b, end)->is_end |= is_end;
    }
}

/* Appends the edges of a node in their order, with those of the places that it is the same as. */
static void take_edges(struct builder *b, promela_edges *into, uint32_t from, uint32_t depth)
{
    if (depth > PROMELA_DEPTH_MAX)
        promela_fail(b->t, PL_MODEL_MEANING, b->g->type->place, "%s jumps in a cycle without a step",
                     b->g->type->name->text);
    for (size_t i = 0; i < node_at(b, from)->edges.len; i++) {
        struct promela_edge e = node_at(b, from)->edges.data[i];
        if (e.is_same)
            take_edges(b, into, node_at(b, e.to)->alias, depth + 1);
        else
            vec_push(into, e);
    }
}

static void close_node(struct builder *b, uint32_t n)
{
    struct promela_node *node = node_at(b, n);
    if (node->alias != n)
        return;
    vec_clear(&b->g->taken);
    take_edges(b, &b->g->taken, n, 0);
    promela_edges before = node->edges;
    node->edges = b->g->taken;
    b->g->taken = before;
    uint32_t elses = 0;
    for (size_t i = 0; i < node->edges.len; i++) {
        struct promela_edge *e = &node->edges.data[i];
        e->to = node_at(b, e->to)->alias;
        if (e->entry != NO_NODE)
            e->entry = node_at(b, e->entry)->alias;
        e->holds = e->is_atomic && !e->releases && node_at(b, e->to)->is_atomic;
        elses += e->is_else;
        if (elses > 1)
            promela_fail(b->t, PL_MODEL_UNSUPPORTED, e->statement->at,
                         "outside the subset: two else at one place");
    }
}

static void mark_reachable(struct builder *b, uint32_t start)
{
    OWNED VEC(uint32_t) todo = {0};
    vec_push(&todo, start);
    while (todo.len > 0) {
        struct promela_node *node = node_at(b, vec_pop(&todo));
        if (node->is_reachable)
            continue;
        node->is_reachable = true;
        for (size_t i = 0; i < node->edges.len; i++) {
            vec_push(&todo, node->edges.data[i].to);
            if (node->edges.data[i].entry != NO_NODE)
                vec_push(&todo, node->edges.data[i].entry);
        }
    }
}

static void number_nodes(struct builder *b)
{
    uint32_t number = 1; /* 0: the process does not exist */
    for (uint32_t n = 0; n < b->g->nodes.len; n++)
        if (node_at(b, n)->is_reachable)
            node_at(b, n)->number = number++;
}

void promela_graph_build(struct promela_graph *g, struct promela_model *m,
                         const struct promela_process_type *type, bool like_spin)
{
    struct builder b = {.g = g, .t = &m->text, .break_to = NO_NODE, .like_spin = like_spin};
    g->type = type;
    g->m = m;
    g->start = new_node(&b);
    g->end = new_node(&b);
    node_at(&b, g->end)->is_end = true;
    for (struct promela_label *l = type->labels; l; l = l->next)
        l->node = new_node(&b);
    build_sequence(&b, type->body, g->start, g->end, false);
    if (!type->body)
        add_same(&b, g->start, g->end);
    find_aliases(&b);
    g->start = node_at(&b, g->start)->alias;
    for (uint32_t n = 0; n < g->nodes.len; n++)
        close_node(&b, n);
    mark_reachable(&b, g->start);
    number_nodes(&b);
}

void promela_graph_free(struct promela_graph *g)
{
    for (size_t n = 0; n < g->nodes.len; n++) {
        vec_free(&g->nodes.data[n].edges);
    }
    vec_free(&g->nodes);
    vec_free(&g->taken);
}
