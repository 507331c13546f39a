/* SPDX-License-Identifier: Apache-2.0 */
/* Which of several readings a get can have: what the others show, and time, leave few. */
#include "monitor/appends/appends_run.h"

/* ---- roots ---- */

uint32_t appends_killer(const struct appends_run *run, uint32_t root, uint32_t s, bool exact)
{
    if (run->ret[root] == ORDER_NEVER)
        return NONE;
    uint32_t first = (exact ? run->earliest_write : run->earliest_put)[run->ret[root] + 1];
    return first != NONE && run->ret[first] < s ? first : NONE;
}

uint32_t appends_possible_roots(struct appends_run *run, uint32_t text, uint32_t f, uint32_t s, bool exact,
                                uint32_t *root)
{
    uint32_t found = 0, first = run->puts.texts[text].first;
    for (uint32_t k = appends_writers_end(&run->puts, text); k-- > first && found < 2;) {
        uint32_t put = run->puts.writers[k];
        if (!appends_work(run, 1))
            return 2;
        if (run->call[put] > f || appends_killer(run, put, s, exact) != NONE)
            continue;
        if (!found++)
            *root = put;
    }
    return found;
}

void appends_joint(const struct appends_run *run, const struct appends_look *g, uint32_t node, uint32_t *f,
                   uint32_t *s)
{
    uint32_t single = run->nodes.data[node].single;
    *f = run->ret[g->op];
    *s = run->call[g->op];
    if (single != NONE && run->joint_f[single] < *f)
        *f = run->joint_f[single];
    if (single != NONE && run->joint_s[single] > *s)
        *s = run->joint_s[single];
}

uint32_t appends_roots_of(struct appends_run *run, const struct appends_look *g, uint32_t node,
                          uint32_t *root)
{
    uint32_t f, s;
    const struct appends_node *n = &run->nodes.data[node];
    appends_joint(run, g, node, &f, &s);
    return appends_possible_roots(run, n->root, f, s, n->depth == 0, root);
}

/* ---- certain readings ---- */

static bool has_one_writer(const struct appends_run *run, uint32_t node)
{
    uint32_t token = run->nodes.data[node].token;
    return token != NONE && appends_writer_count(&run->tokens, token) == 1;
}

/* The get's path is certain. False: a token is there twice. */
static bool pin_path(struct appends_run *run, uint32_t look)
{
    uint32_t node = run->looks.data[look].node[0];
    for (; node != NONE && run->shower[node] == NONE; node = run->nodes.data[node].parent) {
        run->shower[node] = look;
        if (!has_one_writer(run, node))
            continue;
        uint32_t *pinned = &run->pinned[run->nodes.data[node].token];
        if (*pinned != NONE) {
            appends_core_look(run, look);
            appends_core_look(run, run->shower[*pinned]);
            return false;
        }
        *pinned = node;
    }
    return true;
}

static void join_group(struct appends_run *run, uint32_t look)
{
    const struct appends_look *g = &run->looks.data[look];
    uint32_t single = run->nodes.data[g->node[0]].single;
    if (single == NONE)
        return;
    if (run->ret[g->op] < run->joint_f[single])
        run->joint_f[single] = run->ret[g->op];
    if (run->call[g->op] > run->joint_s[single])
        run->joint_s[single] = run->call[g->op];
}

static bool make_certain(struct appends_run *run, uint32_t look)
{
    if (!pin_path(run, look))
        return false;
    join_group(run, look);
    return true;
}

/* ---- striking ---- */

/* Is a token of the path certain to be elsewhere? */
static bool path_contradicts(struct appends_run *run, uint32_t node)
{
    for (; node != NONE; node = run->nodes.data[node].parent) {
        if (run->shower[node] != NONE)
            return false; /* the rest is certain itself */
        if (has_one_writer(run, node)) {
            uint32_t pinned = run->pinned[run->nodes.data[node].token];
            if (pinned != NONE && pinned != node)
                return true;
        }
        appends_work(run, 1);
    }
    return false;
}

/* Does the path have a token more often than it was appended? */
static bool path_repeats(struct appends_run *run, uint32_t node)
{
    bool repeats = false;
    for (uint32_t k = node; run->nodes.data[k].parent != NONE; k = run->nodes.data[k].parent) {
        uint32_t token = run->nodes.data[k].token;
        repeats |= ++run->times[token] > appends_writer_count(&run->tokens, token);
        appends_work(run, 1);
    }
    for (uint32_t k = node; run->nodes.data[k].parent != NONE; k = run->nodes.data[k].parent)
        run->times[run->nodes.data[k].token] = 0;
    return repeats;
}

/* Is there no put for all the gets that have to have the same one? */
static bool root_contradicts(struct appends_run *run, const struct appends_look *g, uint32_t node)
{
    uint32_t put;
    return !appends_roots_of(run, g, node, &put);
}

static void strike_readings(struct appends_run *run, struct appends_look *g)
{
    uint8_t kept = 0;
    for (uint8_t k = 0; k < g->count; k++)
        if (!path_contradicts(run, g->node[k]) && !path_repeats(run, g->node[k]) &&
            !root_contradicts(run, g, g->node[k]))
            g->node[kept++] = g->node[k];
    g->count = kept;
}

/* One round; *changed: another one may find more. */
static bool strike_round(struct appends_run *run, bool *changed)
{
    for (uint32_t k = 0; k < run->looks.len && !run->why; k++) {
        struct appends_look *g = &run->looks.data[k];
        if (g->count < 2 || g->more)
            continue;
        strike_readings(run, g);
        if (run->why)
            break;
        if (!g->count)
            appends_core_look(run, k);
        if (!g->count || (g->count == 1 && !make_certain(run, k)))
            return false;
        *changed |= g->count == 1;
    }
    return !run->why;
}

/* ---- roots of certain gets ---- */

static bool find_root(struct appends_run *run, uint32_t look)
{
    struct appends_look *g = &run->looks.data[look];
    uint32_t text = run->nodes.data[g->node[0]].root, put = NONE;
    g->root = run->puts.writers[run->puts.texts[text].first];
    if (appends_writer_count(&run->puts, text) == 1)
        return true;
    uint32_t possible = appends_roots_of(run, g, g->node[0], &put);
    g->root = possible == 1 ? put : NONE;
    if (!possible)
        appends_core_look(run, look);
    return possible > 0;
}

static void start_striking(struct appends_run *run)
{
    size_t nodes = run->nodes.len;
    run->times = NEW_ZEROED(uint32_t, run->tokens.count);
    run->next_low = NEW_ZEROED(uint32_t, run->tokens.count);
    run->pinned = NEW_ARRAY(uint32_t, run->tokens.count);
    run->shower = NEW_ARRAY(uint32_t, nodes);
    run->joint_f = NEW_ARRAY(uint32_t, nodes);
    run->joint_s = NEW_ZEROED(uint32_t, nodes);
    memset(run->pinned, 0xff, run->tokens.count * sizeof(uint32_t));
    memset(run->shower, 0xff, nodes * sizeof(uint32_t));
    memset(run->joint_f, 0xff, nodes * sizeof(uint32_t));
}

static bool is_certain(const struct appends_look *g)
{
    return g->count == 1 && !g->more;
}

bool appends_strike(struct appends_run *run)
{
    bool changed = true;
    start_striking(run);
    for (uint32_t k = 0; k < run->looks.len; k++)
        if (is_certain(&run->looks.data[k]) && !make_certain(run, k))
            return false;
    for (uint32_t round = 0; changed && round < ROUNDS_MOST; round++) {
        changed = false;
        if (!strike_round(run, &changed))
            return false;
    }
    for (uint32_t k = 0; k < run->looks.len && !run->why; k++)
        if (is_certain(&run->looks.data[k]) && !find_root(run, k))
            return false;
    return !run->why;
}
