/* SPDX-License-Identifier: Apache-2.0 */
/* What operations answer one after the other, as an automaton: from each state, for each thread and each call, the answer and the state after it, or that
 * the call waits. Plain data, for memory that processes share; a specification is made of it. */
#ifndef SPEC_SERIAL_TABLE_H
#define SPEC_SERIAL_TABLE_H

#include <plumb/spec.h>

enum {
    TABLE_OPS_MAX = 32,
    TABLE_NAME = 64,
    TABLE_ARGS_MAX = 2,
    TABLE_EDGES_MAX = 1 << 17,
    TABLE_ANSWERS_MAX = 1 << 10,
    TABLE_NUMBERS_MAX = 254, /* of an operation with numbered answers */
    TABLE_TEXT = 56,
};
/* Instead of a state: */
#define TABLE_WAITS UINT32_MAX
#define TABLE_UNKNOWN (UINT32_MAX - 1) /* it was not followed, or the call has no meaning there */

#define TABLE_NAME_OF_SPEC "serial run"

struct table_op {
    char name[TABLE_NAME];
    uint32_t arg_count,
        first_call;  /* its calls are numbered from there on, the last argument counting fastest */
    char results[8]; /* letters as in plumb_operation */
    bool reads;      /* no call of it changes anything */
    /* Its answers are numbers of table_answer: strings, arrays, or several kinds of values */
    bool is_numbered;
    int32_t counts; /* +1: adds an item, -1: takes one out; 0: neither, or it is not known */
};

struct table_answer {
    uint32_t op, number; /* of its operation's answers, from 0 */
    /* A call that was answered so has changed something; has left all as it was */
    bool changes, leaves;
    uint64_t value; /* that needs no pool; PLUMB_ANY: it does */
    char text[TABLE_TEXT];
};

struct table_edge {
    /* A plumb_value that needs no pool; before table_settle_answers a number in `answers` */
    uint64_t answer;
    uint32_t to;
};

struct serial_table {
    uint32_t threads, values, op_count;
    uint32_t calls;       /* of a thread: all operations with all arguments 1..values */
    uint32_t state_count; /* the first is 0; 0: there is no table */
    bool thread_matters;
    struct table_op ops[TABLE_OPS_MAX];
    uint32_t answer_count;
    struct table_answer answers[TABLE_ANSWERS_MAX];
    struct table_edge edges[TABLE_EDGES_MAX]; /* by state, thread, call */
};

static inline struct table_edge *table_edge(struct serial_table *t, uint32_t state, uint32_t thread,
                                            uint32_t call)
{
    return &t->edges[((uint64_t)state * t->threads + thread) * t->calls + call];
}

/* Numbers the calls, once operations and values are there. False: too many for one state. */
bool table_number_calls(struct serial_table *t);
/* Makes states with the same future one. */
void table_fold(struct serial_table *t);
/* After that: sets thread_matters. False: threads do not behave alike. */
bool table_compare_threads(struct serial_table *t);
/* The number of an answer in `answers`, which is added if `adds`. UINT32_MAX: it is not there, or there is no room. */
uint32_t table_find_answer(struct serial_table *t, const struct plumb_values *values, uint32_t op,
                           plumb_value answer, bool adds);
/* Which kinds of answers each operation gives: values, where they can be distinguished as such, or numbers. */
void table_settle_answers(struct serial_table *t);

/* Was the specification asked for a call that was not followed? Then what it says means nothing. */
bool table_met_unknown(void);
void table_forget_unknown(void); /* another search begins */
/* The specification of the table, which stays in use. There is one at a time. */
const struct plumb_spec *table_spec(struct serial_table *t);

#endif
