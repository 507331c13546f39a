/* SPDX-License-Identifier: Apache-2.0 */
/* What the steps of one process do with its variables. A variable whose value is never read again is dead: it is set to 0, so
 * that states that differ only there are one. A step that touches nothing but the process's own variables is private. */
#include "promela/promela_graph.h"

#include <string.h>

/* What one statement reads and writes. */
struct effects {
    uint64_t *reads, *writes, *kills; /* own variables; killed: written as a whole */
    bool is_shared;                   /* touches others */
};

static void add_reads(const struct promela_expression *e, struct effects *f);

static bool is_own(const struct promela_variable *v)
{
    return v->owner != NULL;
}

static void add_bit(uint64_t *set, uint32_t n)
{
    set[n / 64] |= (uint64_t)1 << n % 64;
}

static void add_index_reads(const struct promela_reference *r, struct effects *f)
{
    for (; r; r = r->field)
        if (r->index)
            add_reads(r->index, f);
}

static void add_reads(const struct promela_expression *e, struct effects *f)
{
    if (!e)
        return;
    if (e->op == OPERATOR_VARIABLE) {
        add_index_reads(e->reference, f);
        if (is_own(e->reference->variable))
            add_bit(f->reads, e->reference->variable->number);
        else
            f->is_shared = true;
    }
    add_reads(e->left, f);
    add_reads(e->right, f);
    add_reads(e->other, f);
}

static void add_write(const struct promela_reference *r, struct effects *f)
{
    if (!r)
        return;
    add_index_reads(r, f);
    const struct promela_variable *v = r->variable;
    if (!is_own(v)) {
        f->is_shared = true;
        return;
    }
    add_bit(f->writes, v->number);
    if (!v->is_array && v->type != TYPE_STRUCT)
        add_bit(f->kills, v->number);
}

static void statement_effects(const struct promela_statement *s, struct effects *f)
{
    if (!s)
        return;
    for (const struct promela_expression *e = s->expression; e; e = s->kind == STATEMENT_RUN ? e->next : NULL)
        add_reads(e, f);
    add_write(s->references[0], f);
    add_write(s->references[1], f);
    f->is_shared |= s->kind == STATEMENT_RUN;
}

static uint64_t *new_set(struct promela_graph *g)
{
    return promela_alloc(&g->m->text, g->words * sizeof(uint64_t));
}

struct analysis {
    struct promela_graph *g;
    struct effects scratch;
    bool changed;
};

static struct effects *effects_of(struct analysis *a, const struct promela_edge *e)
{
    size_t size = a->g->words * sizeof(uint64_t);
    memset(a->scratch.reads, 0, size);
    memset(a->scratch.writes, 0, size);
    memset(a->scratch.kills, 0, size);
    a->scratch.is_shared = false;
    if (e->entry == NO_NODE)
        statement_effects(e->statement, &a->scratch);
    return &a->scratch;
}

static void merge(struct analysis *a, uint64_t *into, const uint64_t *from, const uint64_t *without)
{
    for (uint32_t i = 0; i < a->g->words; i++) {
        uint64_t now = into[i] | (from[i] & ~(without ? without[i] : 0));
        a->changed |= now != into[i];
        into[i] = now;
    }
}

static void propagate(struct analysis *a, struct promela_node *n)
{
    for (size_t i = 0; i < n->edges.len; i++) {
        const struct promela_edge *e = &n->edges.data[i];
        struct effects *f = effects_of(a, e);
        const struct promela_node *to = &a->g->nodes.data[e->to];
        if (e->entry != NO_NODE) { /* what is live is live at its first node: every way goes through */
            merge(a, n->live, a->g->nodes.data[e->entry].live, NULL);
            continue;
        }
        merge(a, n->live, f->reads, NULL);
        merge(a, n->live, to->live, f->kills);
    }
}

/* The argument of a call stays until the next step, whether it is used or not: the checker writes it there. */
static void keep_arguments(struct analysis *a, const struct promela_edge *e)
{
    if (!e->statement || e->statement->kind != STATEMENT_CALL)
        return;
    struct effects *f = effects_of(a, e);
    merge(a, a->g->nodes.data[e->to].live, f->writes, NULL);
}

/* At every node dead variables are 0 already: a step has to clear those that die with it. */
static void find_resets(struct analysis *a, struct promela_node *n)
{
    for (size_t i = 0; i < n->edges.len; i++) {
        struct promela_edge *e = &n->edges.data[i];
        struct effects *f = effects_of(a, e);
        const uint64_t *live = a->g->nodes.data[e->to].live;
        e->is_private = !f->is_shared;
        e->reset = new_set(a->g);
        for (uint32_t w = 0; w < a->g->words; w++)
            e->reset[w] = (n->live[w] | f->writes[w]) & ~live[w];
    }
}

/* A d_step is private if all of it is. */
static bool is_private_inside(struct promela_graph *g, uint32_t n, uint32_t end, uint8_t *seen)
{
    OWNED VEC(uint32_t) todo = {0};
    bool is_private = true;
    vec_push(&todo, n);
    while (todo.len > 0) {
        uint32_t next = vec_pop(&todo);
        if (next == end || seen[next])
            continue;
        seen[next] = 1;
        const struct promela_node *node = &g->nodes.data[next];
        for (size_t i = 0; i < node->edges.len; i++) {
            is_private &= node->edges.data[i].is_private;
            vec_push(&todo, node->edges.data[i].to);
        }
    }
    return is_private;
}

static void mark_d_steps(struct promela_graph *g)
{
    for (size_t n = 0; n < g->nodes.len; n++) {
        for (size_t i = 0; i < g->nodes.data[n].edges.len; i++) {
            struct promela_edge *e = &g->nodes.data[n].edges.data[i];
            if (e->entry == NO_NODE)
                continue;
            uint8_t *seen = NEW_ZEROED(uint8_t, g->nodes.len);
            e->is_private = is_private_inside(g, e->entry, e->to, seen);
            free(seen);
        }
    }
}

/* Steps that others need not wait for, nor come before: private ones, but not the one that closes a loop of them. */
static void mark_local(struct promela_graph *g)
{
    enum { NEW, OPEN, DONE };
    OWNED uint8_t *state = NEW_ZEROED(uint8_t, g->nodes.len);
    OWNED uint32_t *edge = NEW_ZEROED(uint32_t, g->nodes.len);
    OWNED VEC(uint32_t) path = {0};
    for (uint32_t root = 0; root < g->nodes.len; root++) {
        if (state[root] != NEW)
            continue;
        vec_push(&path, root);
        state[root] = OPEN;
        while (path.len > 0) {
            uint32_t n = vec_last(&path);
            struct promela_node *node = &g->nodes.data[n];
            if (edge[n] == node->edges.len) {
                state[n] = DONE;
                path.len--;
                continue;
            }
            struct promela_edge *e = &node->edges.data[edge[n]++];
            e->is_local = e->is_private && state[e->to] != OPEN;
            if (e->is_local && state[e->to] == NEW) {
                state[e->to] = OPEN;
                vec_push(&path, e->to);
            }
        }
    }
}

void promela_analyse(struct promela_graph *g)
{
    struct analysis a = {.g = g};
    g->words = g->type->variable_count / 64 + 1;
    a.scratch = (struct effects){new_set(g), new_set(g), new_set(g), false};
    for (size_t n = 0; n < g->nodes.len; n++)
        g->nodes.data[n].live = new_set(g);
    for (size_t n = 0; n < g->nodes.len; n++)
        for (size_t i = 0; i < g->nodes.data[n].edges.len; i++)
            keep_arguments(&a, &g->nodes.data[n].edges.data[i]);
    do {
        a.changed = false;
        for (size_t n = g->nodes.len; n-- > 0;)
            propagate(&a, &g->nodes.data[n]);
    } while (a.changed);
    for (size_t n = 0; n < g->nodes.len; n++)
        find_resets(&a, &g->nodes.data[n]);
    mark_d_steps(g);
    mark_local(g);
}
