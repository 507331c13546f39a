/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs: a put, the tokens that were seen after it, and the gets that saw them. */
#include "monitor/appends/appends_run.h"

#include "base/sort.h"

/* ---- which reading, which put ---- */

/* The first put that the get may have read from. */
static uint32_t earliest_possible_root(struct appends_run *run, const struct appends_look *g)
{
    const struct appends_node *n = &run->nodes.data[g->guess];
    uint32_t first, last;
    appends_joint(run, g, g->guess, &first, &last);
    for (uint32_t k = run->puts.texts[n->root].first; k < appends_writers_end(&run->puts, n->root); k++) {
        uint32_t put = run->puts.writers[k];
        if (run->call[put] <= first && appends_killer(run, put, last, n->depth == 0) == NONE)
            return put;
        appends_work(run, 1);
    }
    return NONE;
}

/* Sets g->guess and returns the put; NONE: the get is left out. */
static uint32_t settle_look(struct appends_run *run, uint32_t look)
{
    struct appends_look *g = &run->looks.data[look];
    bool certain = g->count == 1 && !g->more;
    bool late = run->mode == APPENDS_GUESS && appends_takes_late_root(run, look);
    g->guess = g->node[late ? g->count - 1 : 0];
    if (certain && g->root != NONE)
        return g->root;
    run->is_exact = false;
    if (run->mode == APPENDS_GUESS && !late)
        return earliest_possible_root(run, g);
    uint32_t put = NONE;
    if (run->mode == APPENDS_GUESS)
        appends_roots_of(run, g, g->guess, &put);
    else
        g->guess = NONE;
    return put;
}

/* ---- joining ---- */

static struct appends_epoch *epoch_at(struct appends_run *run, uint32_t root)
{
    if (run->epoch_of[root] == NONE) {
        run->epoch_of[root] = (uint32_t)run->epochs.len;
        struct appends_epoch fresh = {.root = root, .deepest = NONE};
        vec_push(&run->epochs, fresh);
    }
    return &run->epochs.data[run->epoch_of[root]];
}

/* Adds gets to epochs; class_of[look] becomes the epoch, or NONE. False: one has no place (only when guessing). */
static bool join_looks(struct appends_run *run, uint32_t *class_of)
{
    for (uint32_t k = 0; k < run->looks.len; k++) {
        uint32_t root = settle_look(run, k);
        class_of[k] = NONE;
        if (root == NONE && run->mode != APPENDS_RELAX) {
            appends_blame_look(run, k);
            return false;
        }
        if (root == NONE)
            continue;
        struct appends_epoch *e = epoch_at(run, root);
        e->looks++;
        class_of[k] = run->epoch_of[root];
        if (e->deepest == NONE || appends_depth(run, k) > appends_depth(run, e->deepest))
            e->deepest = k;
    }
    return !run->why;
}

/* The gets of each epoch, by what they saw and by call. */
static void sort_looks(struct appends_run *run, const uint32_t *class_of)
{
    uint32_t count = (uint32_t)run->looks.len, kept = 0, at = 0;
    OWNED uint64_t *key = NEW_ARRAY(uint64_t, count);
    for (uint32_t k = 0; k < count; k++)
        if (class_of[k] != NONE) {
            key[k] = (uint64_t)appends_depth(run, k) << 32 | run->call[run->looks.data[k].op];
            run->by_depth[kept++] = k;
        }
    sort_by_key(run->by_depth, kept, key);
    struct groups g = groups_make(run->by_depth, kept, class_of, (uint32_t)run->epochs.len);
    memcpy(run->by_depth, g.items, kept * sizeof *run->by_depth);
    groups_free(&g);
    for (size_t e = 0; e < run->epochs.len; e++) {
        run->epochs.data[e].first_look = at;
        at += run->epochs.data[e].looks;
    }
}

/* ---- tokens ---- */

/* Not its tokens, which are not all there yet. */
static void blame_looks(struct appends_run *run, const struct appends_epoch *e)
{
    for (uint32_t k = 0; k < e->looks; k++)
        appends_blame_look(run, run->by_depth[e->first_look + k]);
}

static void two_places(struct appends_run *run, uint32_t op, const struct appends_epoch *e)
{
    appends_core_look(run, e->deepest);
    appends_core_look(run, run->epochs.data[run->epoch_of[op]].deepest);
    blame_looks(run, e);
    blame_looks(run, &run->epochs.data[run->epoch_of[op]]);
}

/* False: its only writer is in another epoch. */
static bool name_writer(struct appends_run *run, uint32_t epoch, struct appends_occurrence *o)
{
    uint32_t token = run->nodes.data[o->node].token, first = run->tokens.texts[token].first;
    o->op = NONE;
    o->low = first;
    o->high = appends_writers_end(&run->tokens, token) - 1;
    o->call = 0;
    o->ret = ORDER_NEVER;
    if (o->low != o->high)
        return true;
    o->op = run->tokens.writers[first];
    o->call = run->call[o->op];
    o->ret = run->ret[o->op];
    if (run->epoch_of[o->op] != NONE) {
        two_places(run, o->op, &run->epochs.data[epoch]);
        return false;
    }
    run->epoch_of[o->op] = epoch;
    run->taken[o->op] = true;
    return true;
}

/* The tokens from the root to the deepest get, and whether all gets are on the way. `seen`: by node, the last epoch that
 * had it, from 1 on. */
static bool follow_path(struct appends_run *run, uint32_t epoch, uint32_t *seen)
{
    struct appends_epoch *e = &run->epochs.data[epoch];
    uint32_t node = run->looks.data[e->deepest].guess, depth = run->nodes.data[node].depth;
    e->first_token = (uint32_t)run->occurrences.len;
    e->tokens = depth;
    vec_reserve(&run->occurrences, run->occurrences.len + depth);
    run->occurrences.len += depth;
    for (; depth; depth--, node = run->nodes.data[node].parent) {
        struct appends_occurrence *o = &run->occurrences.data[e->first_token + depth - 1];
        o->node = node;
        seen[node] = epoch + 1;
        if (!name_writer(run, epoch, o))
            return false;
    }
    seen[node] = epoch + 1;
    for (uint32_t k = 0; k < e->looks; k++) {
        uint32_t look = run->by_depth[e->first_look + k];
        if (seen[run->looks.data[look].guess] != epoch + 1) {
            appends_core_look(run, look);
            appends_core_look(run, e->deepest);
            appends_blame_epoch(run, epoch);
            return false;
        }
    }
    return true;
}

bool appends_make_epochs(struct appends_run *run)
{
    OWNED uint32_t *class_of = NEW_ARRAY(uint32_t, run->looks.len);
    OWNED uint32_t *seen = NEW_ZEROED(uint32_t, run->nodes.len);
    if (!join_looks(run, class_of))
        return false;
    sort_looks(run, class_of);
    for (uint32_t e = 0; e < run->epochs.len; e++) {
        run->taken[run->epochs.data[e].root] = true;
        if (!follow_path(run, e, seen))
            return false;
        if (run->occurrences.len > run->count)
            return false; /* more tokens than there are appends */
    }
    return true;
}
