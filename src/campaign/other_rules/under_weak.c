/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/other_rules/under_weak.h"

#include "campaign/other_rules/other_rules.h"
#include "spec/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "queue" and "queue(cap=4)" become "queue(weak)" and "queue(cap=4, weak)". Null: there is no such specification, or it is weak already. */
static const struct plumb_spec *find_weak(const char *name, size_t length, char *weak, size_t size)
{
    bool has_parameters = length && name[length - 1] == ')';
    int written = has_parameters ? snprintf(weak, size, "%.*s, weak)", (int)length - 1, name)
                                 : snprintf(weak, size, "%.*s(weak)", (int)length, name);
    return length && !memmem(name, length, "weak", 4) && written < (int)size ? spec_find(weak) : NULL;
}

static bool has_failed_operation(const struct history *h, const struct plumb_spec *weak)
{
    for (size_t i = 0; i < h->ops.len; i++) {
        struct history_op op = history_get(h, i);
        plumb_value failure = spec_weak_failure(weak, op.op);
        if (failure != PLUMB_OK && op.result == failure)
            return true;
    }
    return false;
}

void under_weak_ask(const struct target_program *program, const struct campaign_options *options,
                    const struct confirmed *error, const char *judges, double left, struct under_weak *out)
{
    *out = (struct under_weak){0};
    const struct pipeline_input *judged = campaign_judged(error);
    size_t length = strcspn(judges, "\n");
    bool is_one = !judges[length] || !judges[length + 1];
    char name[sizeof out->spec];
    const struct plumb_spec *spec =
        judged && is_one && !options->quasi ? find_weak(judges, length, name, sizeof name) : NULL;
    if (!spec || !has_failed_operation(judged->history, spec))
        return;
    struct campaign_options weak = *options;
    struct other_rules answer = {0};
    weak.spec = name;
    other_rules_ask(program, weak, target_shared(error->run.again), NULL, left, &answer);
    other_rules_free(&answer); /* what is shown stays as it is */
    out->executions = answer.executions;
    if (answer.answer == RULES_NEVER)
        memcpy(out->spec, name, sizeof name);
}

void under_weak_add_text(const struct under_weak *weak, struct text *out)
{
    if (*weak->spec)
        text_printf(out,
                    "Judged as %s, whose operations may fail in every state, the test holds (all %" PRIu64
                    " execution%s).",
                    weak->spec, weak->executions, weak->executions == 1 ? "" : "s");
}
