/* SPDX-License-Identifier: Apache-2.0 */
/* The history of a test that is not linearizable, explained by the monitor, and which steps its operations are. */
#ifndef CLI_CHECK_STORY_H
#define CLI_CHECK_STORY_H

#include "explain/explain.h"
#include "pipeline/pipeline.h"
#include "engine/shared/protocol.h"
#include "target/symbols/symbols.h"

enum { STORY_OPS = 256 };

struct check_story {
    const struct worker_shared *shared;
    struct pipeline_input in;
    struct explanation explanation;
    bool judged, told;            /* `in` and `explanation` are filled in */
    uint32_t op_of[STORY_OPS];    /* operation of the history, by number in the test; UINT32_MAX: not known */
    const char *place[STORY_OPS]; /* of each operation of the history, in the source; or null */
};

/* False: the error is not about a history, or it cannot be explained. To be closed in any case. */
bool check_story_open(struct check_story *s, const char *name, const struct worker_shared *shared,
                      struct symbols *symbols);
void check_story_close(struct check_story *s);

/* Adds " = 5", what the operation with this number in the test answered, if that is known. */
void check_story_add_answer(const struct check_story *s, uint32_t number, struct text *out);

#endif
