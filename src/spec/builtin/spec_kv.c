/* SPDX-License-Identifier: Apache-2.0 */
/* kv: keys with strings that can be appended to.
 *
 * A string is a chain of the pieces it was made of, last piece first, shared
 * by all states that have it. Appending costs the piece, not the string: long
 * append-only histories would otherwise need quadratic memory. The hash of a
 * chain depends on its bytes only. Empty strings are not in the table. */
#include "base/check.h"
#include "base/hash.h"
#include "base/memory.h"
#include "history/value_text.h"
#include "spec/builtin/builtin.h"

#include <string.h>

enum { KV_PUT, KV_APPEND, KV_GET };

static const struct plumb_operation kv_operations[] = {
    [KV_PUT] = {"put", "vs", "k", false, PLUMB_WRITES, "kv"},
    [KV_APPEND] = {"append", "vs", "k", false, PLUMB_NO_ROLE, "kv"},
    [KV_GET] = {"get", "v", "s", true, PLUMB_READS, "k"},
};

struct kv_chain {
    size_t owners; /* states and longer chains */
    struct kv_chain *before;
    plumb_value piece;
    size_t length; /* bytes up to and including this piece */
    uint64_t hash;
};

static struct kv_chain *kv_extend(const struct table *t, struct kv_chain *before, plumb_value piece)
{
    size_t length;
    const char *bytes = plumb_string_of(t->values, piece, &length);
    struct kv_chain *c = base_alloc(sizeof *c);
    *c = (struct kv_chain){.owners = 1, .before = before, .piece = piece, .length = length};
    if (before) {
        c->length += before->length;
        c->hash = before->hash;
    }
    for (size_t i = 0; i < length; i++)
        c->hash = c->hash * UINT64_C(0x9e3779b97f4a7c15) + (unsigned char)bytes[i] + 1;
    return c;
}

static void kv_release(struct kv_chain *c)
{
    while (c && --c->owners == 0) {
        struct kv_chain *before = c->before;
        free(c);
        c = before;
    }
}

static struct kv_chain *kv_chain_at(const struct table *t, uint32_t at)
{
    return at == TABLE_NONE ? NULL : (struct kv_chain *)(uintptr_t)t->entries[at].word;
}

/* What one key adds to table.extra, which takes the place of table.sum here: words are addresses. */
static uint64_t kv_mix(plumb_value key, const struct kv_chain *c)
{
    return c ? hash_combine(hash_combine(hash_word(key), c->hash), c->length) : 0;
}

/* The last `left` bytes of `c` that have not been looked at yet. */
struct kv_cursor {
    const struct kv_chain *chain;
    size_t left; /* in this piece */
};

static struct kv_cursor kv_cursor_at(const struct kv_chain *c)
{
    size_t before = c && c->before ? c->before->length : 0;
    return (struct kv_cursor){c, c ? c->length - before : 0};
}

static bool kv_chains_equal(const struct table *t, const struct kv_chain *a, const struct kv_chain *b)
{
    if (a->length != b->length || a->hash != b->hash)
        return false;
    struct kv_cursor x = kv_cursor_at(a), y = kv_cursor_at(b);
    while (x.chain != y.chain || x.left != y.left) {
        size_t length, same = x.left < y.left ? x.left : y.left;
        x.left -= same;
        y.left -= same;
        CHECK(x.chain && y.chain); /* equal lengths end together */
        if (memcmp(plumb_string_of(t->values, x.chain->piece, &length) + x.left,
                   plumb_string_of(t->values, y.chain->piece, &length) + y.left, same))
            return false;
        if (!x.left)
            x = kv_cursor_at(x.chain->before);
        if (!y.left)
            y = kv_cursor_at(y.chain->before);
    }
    return true;
}

static bool kv_chain_is(const struct table *t, const struct kv_chain *c, plumb_value string)
{
    size_t left, length;
    const char *bytes = plumb_string_of(t->values, string, &left);
    if (left != (c ? c->length : 0))
        return false;
    for (; c; c = c->before) {
        const char *piece = plumb_string_of(t->values, c->piece, &length);
        left -= length;
        if (memcmp(bytes + left, piece, length))
            return false;
    }
    return true;
}

static plumb_value kv_chain_value(const struct table *t, const struct kv_chain *c)
{
    size_t total = c ? c->length : 0, left = total, length;
    OWNED char *bytes = base_alloc(total);
    for (; c; c = c->before) {
        const char *piece = plumb_string_of(t->values, c->piece, &length);
        left -= length;
        memcpy(bytes + left, piece, length);
    }
    return plumb_string(t->values, bytes, total);
}

static void kv_destroy(void *state)
{
    const struct table *t = state;
    for (uint32_t i = 0; i < t->count; i++)
        kv_release(kv_chain_at(t, i));
    table_destroy(state);
}

static void *kv_clone(const void *state)
{
    struct table *copy = table_clone(state);
    for (uint32_t i = 0; i < copy->count; i++)
        kv_chain_at(copy, i)->owners++;
    return copy;
}

static uint64_t kv_hash(const void *state)
{
    struct table *t = (struct table *)state;
    for (uint32_t i = 0; i < t->count && !t->summed; i++)
        t->extra += kv_mix(t->entries[i].key, kv_chain_at(t, i));
    t->summed = true;
    return hash_word(t->extra);
}

static bool kv_equal(const void *a, const void *b)
{
    const struct table *x = a, *y = b;
    if (x->count != y->count || (x->summed && y->summed && x->extra != y->extra))
        return false;
    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t at = table_find(y, x->entries[i].key, 0);
        if (at == TABLE_NONE || !kv_chains_equal(x, kv_chain_at(x, i), kv_chain_at(y, at)))
            return false;
    }
    return true;
}

static plumb_value kv_key(const struct plumb_values *values, const struct plumb_call *call)
{
    return call->op == KV_GET ? call->arg : plumb_array_item(values, call->arg, 0);
}

/* Gives `key` the string `c` (null: empty), which the table owns from now on. */
static void kv_store(struct table *t, plumb_value key, uint32_t at, struct kv_chain *c)
{
    if (t->summed)
        t->extra += kv_mix(key, c) - kv_mix(key, kv_chain_at(t, at));
    if (at == TABLE_NONE && c)
        table_insert(t, key, 0, (uintptr_t)c);
    else if (at != TABLE_NONE && c)
        table_set(t, at, (uintptr_t)c);
    else if (at != TABLE_NONE)
        table_remove(t, at);
}

static void kv_write(struct table *t, const struct plumb_call *call)
{
    plumb_value key = plumb_array_item(t->values, call->arg, 0);
    plumb_value piece = plumb_array_item(t->values, call->arg, 1);
    uint32_t at = table_find(t, key, 0);
    struct kv_chain *old = kv_chain_at(t, at);
    size_t length;
    plumb_string_of(t->values, piece, &length);
    if (call->op == KV_PUT) {
        kv_store(t, key, at, length ? kv_extend(t, NULL, piece) : NULL);
        kv_release(old);
    } else if (length) {
        kv_store(t, key, at, kv_extend(t, old, piece));
    }
}

static bool kv_read(const struct table *t, const struct plumb_call *call, plumb_value *result)
{
    const struct kv_chain *c = kv_chain_at(t, table_find(t, call->arg, 0));
    if (call->result == PLUMB_ANY)
        return spec_answer(call, kv_chain_value(t, c), result);
    if (plumb_tag_of(call->result) != PLUMB_TAG_STRING || !kv_chain_is(t, c, call->result))
        return false;
    return spec_answer(call, call->result, result);
}

static bool kv_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    if (choice)
        return false;
    if (call->op == KV_GET)
        return kv_read(state, call, result);
    if (!spec_answer(call, PLUMB_OK, result))
        return false;
    kv_write(state, call);
    return true;
}

static void kv_print_entry(struct text *out, const struct table *t, const struct table_entry *e)
{
    value_print(out, t->values, e->key);
    text_puts(out, ": ");
    value_print(out, t->values, kv_chain_value(t, (const struct kv_chain *)(uintptr_t)e->word));
}

static size_t kv_print(const void *state, char *buffer, size_t size)
{
    return table_print(state, "{}", kv_print_entry, buffer, size);
}

const struct plumb_spec spec_kv = {
    .name = "kv",
    .kind = PLUMB_KIND_KV,
    .summary = "keys with strings that can be appended to",
    SPEC_OPERATIONS(kv_operations),
    .init = table_init,
    .destroy = kv_destroy,
    .clone = kv_clone,
    .hash = kv_hash,
    .equal = kv_equal,
    .step = kv_step,
    .key = kv_key,
    .print = kv_print,
    .deterministic = true,
};
