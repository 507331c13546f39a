/* SPDX-License-Identifier: Apache-2.0 */
/* One key with put, append and get of strings: random histories, and brute force over all orders. Shares nothing with the
 * product. */
#ifndef TESTS_APPENDS_ORACLE_H
#define TESTS_APPENDS_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

enum { APPENDS_OPS = 12, APPENDS_TEXT = 64 };

struct appends_op {
    char kind;               /* p put, a append, g get */
    char text[APPENDS_TEXT]; /* written or returned */
    int call, ret;
    bool pending;
    bool unknown; /* a get whose answer is not known */
};

struct appends_case {
    uint32_t count;
    struct appends_op ops[APPENDS_OPS];
};

/* Kinds of histories. */
enum appends_tokens { TOKENS_DISTINCT, TOKENS_NESTED, TOKENS_TINY, TOKENS_MIXED, TOKENS_KINDS };

/* At most `most` operations. The same arguments give the same history. */
void appends_random(struct appends_case *c, enum appends_tokens tokens, uint32_t most, uint64_t seed);

/* Have the operations of `members` (bits) a legal order? */
bool appends_has_order(const struct appends_case *c, uint32_t members);

/* Is this one, with all completed operations? */
bool appends_is_order(const struct appends_case *c, const uint32_t *order, uint32_t count);

#endif
