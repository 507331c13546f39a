/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_reason.h"

#include "base/diagnostic.h"
#include "explain/program/explain_calls.h"
#include "explain/program/explain_memory.h"
#include "explain/program/explain_waits.h"

#include <string.h>

void explain_reason(struct story *t)
{
    const struct worker_error *error = &t->shared->error;
    if (error->kind == WORKER_ERROR_PROGRESS) {
        explain_stop(t);
        return;
    }
    if (explain_calls_code(error->kind) != PL_EXECUTION)
        explain_name_pointers(t->symbols, error->message, strnlen(error->message, sizeof error->message),
                              &t->text);
    else
        story_say(t, "%s", error->message);
    if (error->kind == WORKER_ERROR_DEADLOCK)
        explain_waits(t);
    explain_memory(t);
    if (error->kind == WORKER_ERROR_RACE) {
        story_say(t, ": %s", error->object);
        if (!*error->object)
            symbols_location(t->symbols, error->address, 0, &t->text);
    }
}
