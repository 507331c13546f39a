/* SPDX-License-Identifier: Apache-2.0 */
/* Small specifications for tests of the general search, independent of the
 * built-in ones. All share one state: a few words on the heap, so that
 * a sanitizer sees every state that is lost or used twice. */
#ifndef TESTS_TOY_SPECS_H
#define TESTS_TOY_SPECS_H

#include <plumb/spec.h>

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum { TOY_WORDS = 63 };

struct toy {
    uint64_t len;
    plumb_value word[TOY_WORDS];
};

static inline plumb_value toy_int(int64_t i)
{
    return (plumb_value)((uint64_t)i << 3);
}

static void *toy_init(const struct plumb_spec_options *options)
{
    (void)options;
    return NEW(struct toy);
}

static void toy_destroy(void *state)
{
    free(state);
}

static void *toy_clone(const void *state)
{
    struct toy *copy = NEW(struct toy);
    const struct toy *t = state;
    copy->len = t->len;
    memcpy(copy->word, t->word, t->len * sizeof *t->word);
    return copy;
}

static uint64_t toy_hash(const void *state)
{
    const struct toy *t = state;
    return hash_bytes(t->word, t->len * sizeof *t->word) % 5 == 0 ? 0 : hash_bytes(t->word, t->len * 8);
}

static bool toy_equal(const void *a, const void *b)
{
    const struct toy *x = a, *y = b;
    return x->len == y->len && !memcmp(x->word, y->word, x->len * sizeof *x->word);
}

static size_t toy_footprint(const void *state)
{
    (void)state;
    return sizeof(struct toy);
}

static bool toy_answer(const struct plumb_call *call, plumb_value answer, plumb_value *result)
{
    if (call->result != PLUMB_ANY && call->result != answer)
        return false;
    if (result)
        *result = answer;
    return true;
}

static bool toy_append(struct toy *t, const struct plumb_call *call, plumb_value *result)
{
    if (t->len == TOY_WORDS || !toy_answer(call, PLUMB_OK, result))
        return false;
    t->word[t->len++] = call->arg;
    return true;
}

static void toy_delete(struct toy *t, size_t i)
{
    t->len--;
    memmove(t->word + i, t->word + i + 1, (t->len - i) * sizeof *t->word);
}

/* A register is empty (0) or has one word. */
static plumb_value toy_value(const struct toy *t)
{
    return t->len ? t->word[0] : toy_int(0);
}

static void toy_assign(struct toy *t, plumb_value v)
{
    t->len = v != toy_int(0);
    t->word[0] = v;
}

/* register: write(v), read, cas(10 * old + new) */
static bool toy_register_step(void *state, const struct plumb_call *call, unsigned choice,
                              plumb_value *result)
{
    struct toy *t = state;
    if (choice)
        return false;
    if (call->op == 1)
        return toy_answer(call, toy_value(t), result);
    int64_t arg = (int64_t)call->arg >> 3;
    bool hits = call->op == 0 || toy_value(t) == toy_int(arg / 10);
    if (!toy_answer(call, call->op == 0 ? PLUMB_OK : plumb_bool(hits), result))
        return false;
    if (hits)
        toy_assign(t, toy_int(call->op == 0 ? arg : arg % 10));
    return true;
}

static bool toy_register_effect_free(const struct plumb_call *call)
{
    return call->op == 1 || (call->op == 2 && call->result == PLUMB_FALSE);
}

/* queue: enq(v), deq, peek */
static bool toy_queue_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct toy *t = state;
    if (choice)
        return false;
    if (call->op == 0)
        return toy_append(t, call, result);
    if (!toy_answer(call, t->len ? t->word[0] : PLUMB_NONE, result))
        return false;
    if (call->op == 1 && t->len)
        toy_delete(t, 0);
    return true;
}

static bool toy_queue_effect_free(const struct plumb_call *call)
{
    return call->op == 2 || (call->op == 1 && call->result == PLUMB_NONE);
}

/* bag: add(v), take any */
static bool toy_bag_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct toy *t = state;
    if (call->op == 0)
        return !choice && toy_append(t, call, result);
    if (!t->len)
        return !choice && toy_answer(call, PLUMB_NONE, result);
    for (size_t i = 0; i < t->len; i++) {
        if ((call->result == PLUMB_ANY || call->result == t->word[i]) && !choice--) {
            if (result)
                *result = t->word[i];
            toy_delete(t, i);
            return true;
        }
    }
    return false;
}

/* dice: roll sets 1 or 2 and does not say which; read */
static bool toy_dice_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct toy *t = state;
    if (choice > (call->op == 0))
        return false;
    if (!toy_answer(call, call->op == 0 ? PLUMB_OK : toy_value(t), result))
        return false;
    if (call->op == 0)
        toy_assign(t, toy_int(choice + 1));
    return true;
}

/* lock: acquire, release, try; the word is the owner + 1 */
static bool toy_lock_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct toy *t = state;
    plumb_value me = toy_int((int64_t)call->thread + 1);
    bool possible = call->op == 1 ? t->len && t->word[0] == me : !t->len;
    if (choice || (call->op != 2 && !possible))
        return false;
    if (!toy_answer(call, call->op == 2 ? plumb_bool(possible) : PLUMB_OK, result))
        return false;
    if (possible)
        toy_assign(t, call->op == 1 ? toy_int(0) : me);
    return true;
}

static bool toy_lock_effect_free(const struct plumb_call *call)
{
    return call->op == 2 && call->result == PLUMB_FALSE;
}

static bool toy_lock_accept(const void *state)
{
    return ((const struct toy *)state)->len == 0;
}

/* parity: add(n) modulo 4, get; ends even */
static bool toy_parity_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct toy *t = state;
    if (choice || !toy_answer(call, call->op == 0 ? PLUMB_OK : toy_value(t), result))
        return false;
    if (call->op == 0)
        toy_assign(t, toy_int(((int64_t)(toy_value(t) + call->arg) >> 3) % 4));
    return true;
}

static bool toy_parity_accept(const void *state)
{
    return ((int64_t)toy_value(state) >> 3) % 2 == 0;
}

#define TOY_COMMON                                                                                    \
    .summary = "toy", .init = toy_init, .destroy = toy_destroy, .clone = toy_clone, .hash = toy_hash, \
    .equal = toy_equal, .footprint = toy_footprint

static const struct plumb_operation toy_register_ops[] = {{"write", "v", "k", false, PLUMB_NO_ROLE, NULL},
                                                          {"read", "", "v", true, PLUMB_NO_ROLE, NULL},
                                                          {"cas", "v", "b", false, PLUMB_NO_ROLE, NULL}};
static const struct plumb_operation toy_queue_ops[] = {{"enq", "v", "k", false, PLUMB_NO_ROLE, NULL},
                                                       {"deq", "", "vN", false, PLUMB_NO_ROLE, NULL},
                                                       {"peek", "", "vN", true, PLUMB_NO_ROLE, NULL}};
static const struct plumb_operation toy_bag_ops[] = {{"add", "v", "k", false, PLUMB_NO_ROLE, NULL},
                                                     {"take", "", "vN", false, PLUMB_NO_ROLE, NULL}};
static const struct plumb_operation toy_dice_ops[] = {{"roll", "", "k", false, PLUMB_NO_ROLE, NULL},
                                                      {"read", "", "v", true, PLUMB_NO_ROLE, NULL}};
static const struct plumb_operation toy_lock_ops[] = {{"acquire", "", "k", false, PLUMB_NO_ROLE, NULL},
                                                      {"release", "", "k", false, PLUMB_NO_ROLE, NULL},
                                                      {"try", "", "b", false, PLUMB_NO_ROLE, NULL}};
static const struct plumb_operation toy_parity_ops[] = {{"add", "v", "k", false, PLUMB_NO_ROLE, NULL},
                                                        {"get", "", "v", true, PLUMB_NO_ROLE, NULL}};

static const struct plumb_spec toy_specs[] = {
    {TOY_COMMON, .name = "register", .operations = toy_register_ops, .operation_count = 3,
     .step = toy_register_step, .effect_free = toy_register_effect_free, .deterministic = true},
    {TOY_COMMON, .name = "queue", .operations = toy_queue_ops, .operation_count = 3, .step = toy_queue_step,
     .effect_free = toy_queue_effect_free, .deterministic = true},
    {TOY_COMMON, .name = "bag", .operations = toy_bag_ops, .operation_count = 2, .step = toy_bag_step},
    {TOY_COMMON, .name = "dice", .operations = toy_dice_ops, .operation_count = 2, .step = toy_dice_step},
    {TOY_COMMON, .name = "lock", .operations = toy_lock_ops, .operation_count = 3, .step = toy_lock_step,
     .effect_free = toy_lock_effect_free, .accept = toy_lock_accept, .deterministic = true,
     .thread_matters = true},
    {TOY_COMMON, .name = "parity", .operations = toy_parity_ops, .operation_count = 2,
     .step = toy_parity_step, .accept = toy_parity_accept, .deterministic = true},
};
enum { TOY_REGISTER, TOY_QUEUE, TOY_BAG, TOY_DICE, TOY_LOCK, TOY_PARITY, TOY_COUNT };

#endif
