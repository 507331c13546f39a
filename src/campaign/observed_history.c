/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/observed_history.h"

#include "history/jsonl.h"
#include "spec/serial/observations.h"
#include "spec/serial/serial.h"

#include <string.h>

/* The JSON lines of the worker, read. Null: they cannot be. */
static struct history *read_lines(const char *lines, size_t length)
{
    struct diagnostic ignored = {0};
    struct history *h = history_create();
    if (jsonl_read_memory(h, lines, length, &ignored))
        return h;
    history_destroy(h);
    return NULL;
}

bool observed_history_add(struct text *out, const struct worker_shared *shared, const char *indent)
{
    struct diagnostic ignored = {0};
    bool stuck = shared->error.kind == WORKER_ERROR_DEADLOCK && shared->stuck_length;
    bool ended = shared->error.kind == WORKER_ERROR_NOT_LINEARIZABLE && shared->history_length &&
                 strcmp(shared->judged_by, SPEC_DERIVED_NAME) == 0;
    if (!stuck && !ended)
        return false;
    struct history *h = stuck ? read_lines(shared->stuck_history, shared->stuck_length)
                              : read_lines(shared->history, shared->history_length);
    bool fine = h && observations_add_history(out, h, indent, &ignored);
    if (h)
        history_destroy(h);
    return fine;
}

bool observed_history_append(struct text *all, const struct worker_shared *shared)
{
    struct text history = {0};
    bool added = observed_history_add(&history, shared, OBSERVATIONS_INDENT) &&
                 observations_add_violation(all, &history);
    text_free(&history);
    return added;
}
