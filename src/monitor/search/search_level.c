/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/search/search_state.h"

#include "base/check.h"
#include "base/hash.h"

#include <string.h>

enum {
    COMPARED_ONE_BY_ONE = 8, /* up to so many nodes hashing states costs more than it saves */
    UNKNOWN_FOOTPRINT = 256,
    HEAP_OVERHEAD = 16,
};

void level_init(struct level *l, const struct plumb_spec *spec, struct account *account)
{
    *l = (struct level){.spec = spec, .account = account, .width = 1};
    l->pending = NEW_ZEROED(uint64_t, l->width);
}

void level_mark_pending(struct level *l, uint32_t slot)
{
    mask_set(l->pending, slot);
}

static size_t state_bytes(const struct level *l, const void *state)
{
    return HEAP_OVERHEAD + (l->spec->footprint ? l->spec->footprint(state) : UNKNOWN_FOOTPRINT);
}

void *level_take_state(struct level *l, size_t node)
{
    struct level_node *n = &l->nodes[node];
    void *state = n->state;
    account_refund(l->account, n->bytes);
    n->state = NULL;
    n->bytes = 0;
    return state;
}

static void drop_node(struct level *l, size_t node)
{
    if (!level_is_dead(l, node))
        l->spec->destroy(level_take_state(l, node));
}

void level_free(struct level *l)
{
    for (size_t i = 0; i < l->len; i++)
        drop_node(l, i);
    free(l->nodes);
    free(l->masks);
    free(l->pending);
    free(l->table);
    *l = (struct level){0};
}

bool level_widen(struct level *l, size_t slots)
{
    if (slots <= l->width * 64)
        return true;
    size_t width = l->width * 2;
    while (width * 64 < slots)
        width *= 2;
    if (!account_charge(l->account, (width - l->width) * l->cap * sizeof *l->masks))
        return false;
    uint64_t *masks = NEW_ZEROED(uint64_t, width * l->cap);
    for (size_t i = 0; i < l->len; i++)
        memcpy(masks + i * width, level_mask(l, i), l->width * sizeof *masks);
    free(l->masks);
    l->masks = masks;
    l->pending = base_realloc(l->pending, width * sizeof *l->pending);
    memset(l->pending + l->width, 0, (width - l->width) * sizeof *l->pending);
    l->width = width;
    return true;
}

/* Equal for all nodes that could stand in for each other. */
static uint64_t node_hash(const struct level *l, size_t node)
{
    struct level_node *n = &l->nodes[node];
    if (!n->state_hash) {
        uint64_t h = l->spec->hash(n->state);
        n->state_hash = h ? h : 1;
    }
    uint64_t h = n->state_hash;
    const uint64_t *mask = level_mask(l, node);
    for (size_t w = 0; w < l->width; w++)
        h = hash_combine(h, mask[w] & ~l->pending[w]);
    return h;
}

static bool states_equal(const struct level *l, size_t a, size_t b)
{
    const struct level_node *x = &l->nodes[a], *y = &l->nodes[b];
    if (x->state_hash && y->state_hash && x->state_hash != y->state_hash)
        return false;
    return x->state && y->state && l->spec->equal(x->state, y->state);
}

enum relation { UNRELATED, COVERS, IS_COVERED };

/* Does `a` stand in for `b` (also when they are equal), or the other way round? */
static enum relation relate(const struct level *l, size_t a, size_t b)
{
    const uint64_t *x = level_mask(l, a), *y = level_mask(l, b);
    uint64_t only_x = 0, only_y = 0;
    for (size_t w = 0; w < l->width; w++) {
        if ((x[w] ^ y[w]) & ~l->pending[w])
            return UNRELATED;
        only_x |= x[w] & ~y[w];
        only_y |= y[w] & ~x[w];
    }
    if ((only_x && only_y) || !states_equal(l, a, b))
        return UNRELATED;
    return only_x ? IS_COVERED : COVERS;
}

/* Compares the last node with an older one. True: the last one is not needed. */
static bool settle(struct level *l, size_t older, size_t last)
{
    enum relation r = relate(l, older, last);
    if (r == IS_COVERED)
        drop_node(l, older);
    return r == COVERS;
}

/* Enters a node into the table. False: it is not needed. */
static bool table_enter(struct level *l, size_t node)
{
    size_t i = node_hash(l, node) & l->table_mask;
    for (; l->table[i]; i = (i + 1) & l->table_mask)
        if (settle(l, l->table[i] - 1, node))
            return false;
    l->table[i] = (uint32_t)node + 1;
    return true;
}

/* A table of a size that suits the nodes there are; only that much is cleared. */
static bool table_build(struct level *l)
{
    size_t size = 64;
    while (size < l->len * 4)
        size *= 2;
    if (size > l->table_cap) {
        if (!account_charge(l->account, (size - l->table_cap) * sizeof *l->table))
            return false;
        free(l->table);
        l->table = NEW_ARRAY(uint32_t, size);
        l->table_cap = size;
    }
    memset(l->table, 0, size * sizeof *l->table);
    l->table_mask = size - 1;
    for (size_t i = 0; i < l->len; i++)
        if (!level_is_dead(l, i))
            table_enter(l, i);
    return true;
}

bool level_index(struct level *l)
{
    l->table_mask = 0;
    return l->len <= COMPARED_ONE_BY_ONE || table_build(l);
}

static bool reserve_node(struct level *l)
{
    if (l->len < l->cap)
        return true;
    CHECK(l->len < UINT32_MAX - 1);
    size_t mask_bytes = l->width * sizeof *l->masks;
    size_t cap = account_grow(l->account, l->cap, sizeof *l->nodes + mask_bytes);
    if (!cap)
        return false;
    l->nodes = base_realloc(l->nodes, cap * sizeof *l->nodes);
    l->masks = base_realloc(l->masks, cap * mask_bytes);
    l->cap = cap;
    return true;
}

/* Is the node at the end of the array a new one? */
static bool is_new(struct level *l, size_t node)
{
    if (l->table_mask)
        return table_enter(l, node);
    for (size_t i = 0; i < node; i++)
        if (settle(l, i, node))
            return false;
    return true;
}

static bool index_has_room(struct level *l)
{
    if (l->table_mask ? l->len * 2 <= l->table_mask : l->len <= COMPARED_ONE_BY_ONE)
        return true;
    return table_build(l);
}

size_t level_add(struct level *l, const uint64_t *mask, void *state)
{
    if (!reserve_node(l)) {
        l->spec->destroy(state);
        return LEVEL_NONE;
    }
    size_t node = l->len;
    l->nodes[node] = (struct level_node){.state = state, .log = UINT32_MAX};
    memcpy(level_mask(l, node), mask, l->width * sizeof *mask);
    if (!is_new(l, node)) {
        l->spec->destroy(state);
        return LEVEL_NONE;
    }
    l->nodes[node].bytes = state_bytes(l, state);
    l->len++;
    bool affordable = account_charge(l->account, l->nodes[node].bytes);
    return index_has_room(l) && affordable ? node : LEVEL_NONE;
}

static void move_node(struct level *l, size_t from, size_t to)
{
    if (from == to)
        return;
    l->nodes[to] = l->nodes[from];
    memmove(level_mask(l, to), level_mask(l, from), l->width * sizeof *l->masks);
}

void level_keep(struct level *l, uint32_t slot)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->len; i++) {
        uint64_t *mask = level_mask(l, i);
        if (level_is_dead(l, i) || !mask_has(mask, slot)) {
            drop_node(l, i);
            continue;
        }
        mask_clear(mask, slot);
        move_node(l, i, kept++);
    }
    l->len = kept;
}

static size_t count_pending(const struct level *l, size_t node)
{
    size_t count = 0;
    for (size_t w = 0; w < l->width; w++)
        count += (size_t)__builtin_popcountll(level_mask(l, node)[w] & l->pending[w]);
    return count;
}

void level_narrow(struct level *l, size_t most)
{
    size_t *with = NEW_ZEROED(size_t, l->width * 64 + 1), limit = 0, kept = 0;
    for (size_t i = 0; i < l->len; i++)
        with[count_pending(l, i)]++;
    for (size_t sum = 0; sum + with[limit] <= most; limit++)
        sum += with[limit];
    for (size_t i = 0; i < l->len; i++) {
        size_t count = count_pending(l, i);
        if (count > limit || (count == limit && kept >= most))
            drop_node(l, i);
        else
            move_node(l, i, kept++);
    }
    free(with);
    l->len = kept;
}
