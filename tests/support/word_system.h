/* SPDX-License-Identifier: Apache-2.0 */
/* A system that does one thing: one thread performs the operations of a text, one after the other: "enq(2) enq(1) deq=1".
 * An operation without a value answers ok, `deq=0` answers null. */
#ifndef TESTS_WORD_SYSTEM_H
#define TESTS_WORD_SYSTEM_H

#include "refine/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_OPERATIONS = 16, WORD_NAMES = 4 };

struct word_system {
    struct refine_system system;
    uint32_t offset;
    char names[WORD_NAMES][16];
    const char *ops[WORD_NAMES];
    uint32_t count;
    struct refine_step calls[WORD_OPERATIONS], returns[WORD_OPERATIONS];
};

static inline void word_initial(const struct refine_system *s, uint8_t *state)
{
    memset(state, 0, s->state_size);
}

static inline void word_steps(const struct refine_system *s, const uint8_t *state, struct refine_steps *out)
{
    const struct word_system *w = (const struct word_system *)s;
    if (state[0] == 2 * w->count)
        return;
    vec_push(&out->steps, state[0] % 2 ? w->returns[state[0] / 2] : w->calls[state[0] / 2]);
    vec_push(&out->states, (uint8_t)(state[0] + 1));
}

static inline struct refine_place word_describe(const struct refine_system *s, uint32_t place)
{
    (void)s, (void)place;
    return (struct refine_place){0};
}

static inline uint8_t word_name(struct word_system *w, const char *name)
{
    uint32_t i = 0;
    while (i < w->system.op_count && strcmp(w->names[i], name) != 0)
        i++;
    if (i == WORD_NAMES)
        abort();
    if (i == w->system.op_count) {
        snprintf(w->names[i], sizeof w->names[i], "%s", name);
        w->ops[w->system.op_count++] = w->names[i];
    }
    return (uint8_t)i;
}

static inline void word_operation(struct word_system *w, char *text)
{
    struct refine_step call = {.kind = REFINE_CALL}, ret = {.kind = REFINE_RETURN, .value = REFINE_OK};
    char *paren = strchr(text, '('), *equals = strchr(text, '=');
    if (paren) {
        call.arg_count = 1;
        call.args[0] = REFINE_NOWHERE;
        call.constants[0] = atoi(paren + 1);
        *paren = 0;
    }
    if (equals) {
        ret.value = atoi(equals + 1);
        *equals = 0;
    }
    if (w->count == WORD_OPERATIONS)
        abort();
    call.op = ret.op = word_name(w, text);
    w->calls[w->count] = call;
    w->returns[w->count++] = ret;
}

static inline void word_system_make(struct word_system *w, const char *text)
{
    char copy[256], *rest;
    memset(w, 0, sizeof *w);
    w->system = (struct refine_system){.name = "word",
                                       .state_size = 1,
                                       .threads = 1,
                                       .ops = w->ops,
                                       .thread_offsets = &w->offset,
                                       .initial = word_initial,
                                       .steps = word_steps,
                                       .describe = word_describe};
    if (strlen(text) >= sizeof copy)
        abort();
    strcpy(copy, text);
    for (char *one = strtok_r(copy, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
        word_operation(w, one);
}

#endif
