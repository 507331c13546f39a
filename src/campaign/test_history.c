/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/test_history.h"

#include "campaign/serial_runs.h"
#include "spec/registry.h"
#include "spec/serial/serial.h"
#include "spec/quasi/spec_quasi.h"

#include <stdio.h>
#include <string.h>

/* Far more than the worker needed for the same history. */
static const double SECONDS = 60;
enum { BYTES = 1 << 30 };

/* Of a relaxed one, "quasi queue (2)", the name of that which was relaxed. */
static void name_spec(const struct worker_shared *s, char *name, size_t size)
{
    size_t prefix = strlen(SPEC_QUASI_PREFIX);
    bool relaxed = *s->config.quasi && strncmp(s->judged_by, SPEC_QUASI_PREFIX, prefix) == 0;
    snprintf(name, size, "%s", s->judged_by + (relaxed ? prefix : 0));
    char *factor = relaxed ? strstr(name, " (") : NULL;
    if (factor)
        *factor = 0;
}

static const struct plumb_spec *find_spec(const void *shared, struct history *h, struct diagnostic *d)
{
    const struct worker_shared *s = shared;
    char name[sizeof s->judged_by];
    name_spec(s, name, sizeof name);
    if (strcmp(name, SPEC_DERIVED_NAME) == 0)
        return serial_runs_spec(&s->config, h, d);
    const struct plumb_spec *spec = spec_find(name);
    if (!spec)
        diagnostic_set(d, PL_INTERNAL, 0, 0, "the specification of the history has no name");
    return spec;
}

void test_history_judge(struct pipeline_input *in, const char *name, const struct worker_shared *shared)
{
    struct pipeline_question question = {.time = SECONDS,
                                         .memory_limit = BYTES,
                                         .find_spec = find_spec,
                                         .find_context = shared,
                                         .quasi = *shared->config.quasi ? shared->config.quasi : NULL};
    pipeline_judge_memory(in, name, shared->history, shared->history_length, NULL, &question);
    in->one_of_several = true;
}
