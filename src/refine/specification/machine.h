/* SPDX-License-Identifier: Apache-2.0 */
/* The relaxed specification R, as sets of explanations (explanations.h) use it: an automaton whose states are short byte
 * strings and whose steps are whole operations with their answers. Two of them: relaxed.h for containers of items that
 * are all different, general.h for any specification over a few given values. Private to this folder. */
#ifndef REFINE_MACHINE_H
#define REFINE_MACHINE_H

#include "refine/product/renaming.h"

#include <string.h>

enum { MACHINE_ANY = -1, MACHINE_OPS_MAX = 64 };

enum machine_role { MACHINE_NEITHER, MACHINE_ADDS, MACHINE_REMOVES };

/* What names of items mean, and so how they can be renamed. */
enum machine_names {
    MACHINE_FIXED,    /* as they are */
    MACHINE_BY_PLACE, /* nothing but equality: by the place where the system keeps them */
    MACHINE_BY_RANK,  /* their order: by rank */
};

/* An open operation that takes effect now. */
struct machine_call {
    uint8_t op, thread;
    uint8_t args[REFINE_ARGS_MAX];
    uint8_t arg_count;
    int32_t wanted;                     /* only this answer; MACHINE_ANY: every one */
    uint8_t coming[REFINE_THREADS_MAX]; /* items of open additions that have not taken effect */
    uint8_t coming_count;
    uint8_t unused_item; /* a name that occurs nowhere in the explanation */
};

struct machine_outcome {
    uint16_t answer;
    bool is_unborn; /* the answer is an item that is not added yet: call.unused_item stands for it */
    uint32_t start, length;
};

struct machine_outcomes {
    VEC(struct machine_outcome) list;
    VEC(uint8_t) bytes; /* the states after them */
    bool too_large;     /* a state did not fit */
};

struct machine {
    enum machine_names names;
    enum machine_role roles[MACHINE_OPS_MAX];
    bool can_be_full[MACHINE_OPS_MAX]; /* of others the answer REFINE_FULL is just a number */
    bool thread_matters;
    bool has_unborn; /* outcomes may be unborn */
    /* The initial state; its length. */
    size_t (*initial)(struct machine *m, uint8_t *r);
    void (*act)(struct machine *m, const uint8_t *r, size_t length, const struct machine_call *call,
                struct machine_outcomes *out);
    /* Is the history explained as it stands, or would more of what is open have to take effect? */
    bool (*accepts)(struct machine *m, const uint8_t *r, size_t length);
    /* Does the operation ever answer that? */
    bool (*can_answer)(struct machine *m, uint8_t op, int32_t answer);
    /* BY_PLACE, BY_RANK: replaces every item of a state. */
    void (*rename)(const struct machine *m, uint8_t *r, size_t length, struct renaming *naming);
    size_t (*footprint)(const struct machine *m);
    void (*destroy)(struct machine *m);
};

enum { MACHINE_STATE_MAX = 800 };

static inline void machine_emit(struct machine_outcomes *out, uint16_t answer, bool is_unborn,
                                const uint8_t *r, size_t length)
{
    struct machine_outcome o = {answer, is_unborn, (uint32_t)out->bytes.len, (uint32_t)length};
    vec_reserve(&out->bytes, out->bytes.len + length);
    memcpy(out->bytes.data + out->bytes.len, r, length);
    out->bytes.len += length;
    vec_push(&out->list, o);
}

#endif
