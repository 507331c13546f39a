/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of synchronization by trying every order of the operations, and every way to say which addition an operation has removed.
 * The rules are written down a second time, spec by spec. */
#ifndef TESTS_SYNC_ORACLE_H
#define TESTS_SYNC_ORACLE_H

#include "oracle/oracle.h"

enum { SYNC_ORACLE_OPS = 8 };

struct sync_oracle_op {
    const char *name;
    plumb_value arg, result;
    uint32_t thread, object;
    bool completed;
};

struct sync_oracle {
    const struct oracle_spec *spec;
    struct plumb_values *values;
    plumb_value initial;
    uint32_t count;
    struct sync_oracle_op ops[SYNC_ORACLE_OPS];
    bool after[SYNC_ORACLE_OPS][SYNC_ORACLE_OPS];  /* [a][b]: a returns before b is called */
    bool before[SYNC_ORACLE_OPS][SYNC_ORACLE_OPS]; /* [a][b]: a is called before b returns */
    bool all;                                      /* also the rules that are off by default */
};

/* Adds what follows from what is in both relations. */
void sync_oracle_close(struct sync_oracle *o);

enum sync_oracle_answer { SYNC_KEPT, SYNC_BROKEN, SYNC_NO_ORDER };

/* Is there a legal order in which the rules are kept? NO_ORDER: there is no legal order at all. */
enum sync_oracle_answer sync_oracle_ask(const struct sync_oracle *o);

#endif
