/* SPDX-License-Identifier: Apache-2.0 */
/* What the built-in specifications share: their names for the registry, and
 * the two lines every `step` needs. Private to this folder. */
#ifndef SPEC_BUILTIN_H
#define SPEC_BUILTIN_H

#include <plumb/spec.h>

#include "base/text.h"

extern const struct plumb_spec spec_queue, spec_stack, spec_deque;          /* spec_sequences.c */
extern const struct plumb_spec spec_pqueue;                                 /* spec_pqueue.c */
extern const struct plumb_spec spec_set, spec_multiset, spec_bag, spec_map; /* spec_collections.c */
extern const struct plumb_spec spec_kv;                                     /* spec_kv.c */
extern const struct plumb_spec spec_register, spec_counter;                 /* spec_cells.c */
extern const struct plumb_spec spec_snapshot;                               /* spec_snapshot.c */
extern const struct plumb_spec spec_lock, spec_rwlock, spec_semaphore;      /* spec_locks.c */
extern const struct plumb_spec spec_event, spec_latch, spec_barrier;        /* spec_signals.c */

#define SPEC_OPERATIONS(table) .operations = (table), .operation_count = sizeof(table) / sizeof *(table)

/* States are printed with at most so many elements. */
#define SPEC_PRINT_MAX 12

/* Does `call` agree with this answer? Stores it if so. */
static inline bool spec_answer(const struct plumb_call *call, plumb_value answer, plumb_value *result)
{
    if (call->result != answer && call->result != PLUMB_ANY)
        return false;
    if (result)
        *result = answer;
    return true;
}

/* --init, or `otherwise` when it was not given. */
static inline plumb_value spec_initial(const struct plumb_spec_options *options, plumb_value otherwise)
{
    return options->initial == PLUMB_OK ? otherwise : options->initial;
}

/* Ends a `print`: moves the text into the caller's buffer as snprintf would. */
size_t spec_print_end(struct text *text, char *buffer, size_t size);

#endif
