/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/run.h"

#include "base/check.h"
#include "monitor/monitor.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

/* Without the checks of spec_bind: a bounded specification has an answer that histories in files cannot have. */
static void bind(struct history *h, const struct plumb_spec *spec)
{
    for (size_t i = 0; i < h->ops.len; i++)
        h->ops.data[i].op = (uint16_t)spec_operation(spec, h->op_names.data[h->ops.data[i].op]);
}

bool confirming_agrees(const struct refine_system *s, const struct refine_settings *settings,
                       const struct plumb_spec *spec, const struct refine_result *r)
{
    enum { SECONDS = 60 };
    struct history *h = refine_history(s, r, spec, settings->full == REFINE_FULL_ANY);
    bind(h, spec);
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    struct budget budget = budget_start(SECONDS, (size_t)1 << 30);
    const struct plumb_spec *judge = spec;
    struct diagnostic d = {0};
    history_object(h, PLUMB_NONE);
    if (settings->quasi)
        CHECK(spec_quasi_relax(h, &judge, settings->quasi, &d));
    if (settings->quasi && settings->reading == REFINE_READING_C)
        spec_quasi_append_nothing(judge);
    struct monitor_settings monitor = {.options = &options, .specs = &judge, .budget = &budget};
    monitor.only_general = true;
    struct monitor_result result;
    CHECK(monitor_history(h, &monitor, &result, &d));
    CHECK(result.verdict != VERDICT_HOLDS);
    bool agrees = result.verdict == VERDICT_VIOLATED;
    monitor_result_free(&result);
    if (judge != spec)
        spec_quasi_free(judge);
    history_destroy(h);
    return agrees;
}
