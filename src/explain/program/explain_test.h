/* SPDX-License-Identifier: Apache-2.0 */
/* The history of a test that is not linearizable, explained by the monitor, and which steps its operations
 * are. */
#ifndef EXPLAIN_EXPLAIN_TEST_H
#define EXPLAIN_EXPLAIN_TEST_H

#include "explain/history/explain.h"
#include "pipeline/pipeline.h"
#include "engine/shared/protocol.h"
#include "target/symbols/symbols.h"

enum { TEST_OPS = 256 };

struct explain_test {
    const struct worker_shared *shared;
    const struct pipeline_input *judged;
    struct explanation explanation;
    bool explained; /* `explanation` is filled in */
    /* Operation of the history, by number in the test; UINT32_MAX: not known */
    uint32_t op_of[TEST_OPS];
    const char *place[TEST_OPS]; /* of each operation of the history, in the source; or null */
};

/* `judged`: the history as the monitor decided it, or null. False: the error is not about a history, or it
 * cannot be explained. To be closed in any case. */
bool explain_test_open(struct explain_test *s, const struct worker_shared *shared,
                       const struct pipeline_input *judged, struct symbols *symbols);
void explain_test_close(struct explain_test *s);

/* Adds " = 5", what the operation with this number in the test answered, if that is known. */
void explain_test_add_answer(const struct explain_test *s, uint32_t number, struct text *out);

#endif
