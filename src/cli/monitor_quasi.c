/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/monitor_quasi.h"

#include "spec/spec_quasi.h"

#include <stdio.h>
#include <string.h>

enum { FACTOR_TEXT = 80 };

bool monitor_quasi_check(const struct monitor_options *o, const struct plumb_spec *spec, struct diagnostic *d)
{
    char factor[FACTOR_TEXT];
    if (o->quasi && o->quasi_min)
        return diagnostic_set(d, PL_USAGE, 0, 0,
                              "--quasi gives the factor that --quasi-min looks for: use one of them");
    if (o->reading && !o->quasi && !o->quasi_min)
        return diagnostic_set(d, PL_USAGE, 0, 0, "--reading is for --quasi and --quasi-min");
    if (o->quasi)
        return spec_quasi_check(o->quasi, &spec, spec ? 1 : 0, d);
    if (!o->quasi_min)
        return true;
    if (strchr(o->quasi_min, '=') || strchr(o->quasi_min, ',') || strlen(o->quasi_min) + 8 > sizeof factor)
        return diagnostic_set(
            d, PL_USAGE, 0, 0,
            "--quasi-min: name one class without a number, as in deq or pop_front+pop_back");
    snprintf(factor, sizeof factor, "%s=0", o->quasi_min);
    return spec_quasi_check(factor, &spec, spec ? 1 : 0, d);
}

static void free_relaxed(struct monitor_input *in)
{
    for (size_t i = 0; in->relaxed && i < in->history->object_names.len; i++)
        spec_quasi_free(in->specs[i]);
    in->relaxed = false;
}

static void decide_with(struct monitor_input *in, const char *factor, const struct monitor_options *options,
                        struct budget *budget)
{
    size_t objects = in->history->object_names.len;
    in->relaxed = spec_quasi_relax(in->history, in->specs, factor, &in->error);
    if (!in->relaxed)
        return;
    for (size_t i = 0; options->reading && i < objects; i++)
        spec_quasi_append_nothing(in->specs[i]);
    struct monitor_settings settings = {.options = &in->spec_options,
                                        .specs = in->specs,
                                        .budget = budget,
                                        .keep_witnesses = options->keep_witnesses};
    monitor_history(in->history, &settings, &in->result, &in->error);
}

/* No factor below this one will do. The class is relaxed once to find out. */
static uint32_t lower_bound(struct monitor_input *in, const struct monitor_options *options,
                            const struct plumb_spec **strict)
{
    char factor[FACTOR_TEXT];
    size_t objects = in->history->object_names.len;
    struct diagnostic ignored = {0};
    snprintf(factor, sizeof factor, "%s=1", options->quasi_min);
    in->relaxed = spec_quasi_relax(in->history, in->specs, factor, &ignored);
    for (size_t i = 0; options->reading && i < objects; i++)
        spec_quasi_append_nothing(in->specs[i]);
    struct monitor_settings settings = {.options = &in->spec_options, .specs = in->specs};
    uint32_t least = in->relaxed ? monitor_quasi_least(in->history, &settings) : 0;
    free_relaxed(in);
    memcpy(in->specs, strict, objects * sizeof *strict);
    return least;
}

/* Upward from the bound: what one factor accepts, larger ones accept too. */
static void find_least(struct monitor_input *in, const struct monitor_options *options, struct budget *budget)
{
    char factor[FACTOR_TEXT];
    size_t objects = in->history->object_names.len, operations = in->history->ops.len;
    uint32_t most = operations < QUASI_FACTOR_MOST ? (uint32_t)operations : QUASI_FACTOR_MOST;
    const struct plumb_spec **strict = NEW_ARRAY(const struct plumb_spec *, objects);
    memcpy(strict, in->specs, objects * sizeof *strict);
    for (uint32_t k = lower_bound(in, options, strict);; k++) {
        snprintf(factor, sizeof factor, "%s=%u", options->quasi_min, k);
        decide_with(in, factor, options, budget);
        in->sought = true;
        in->least = k;
        if (in->error.code || in->result.verdict != VERDICT_VIOLATED || in->result.beyond_factors ||
            k >= most)
            break;
        monitor_result_free(&in->result);
        free_relaxed(in);
        memcpy(in->specs, strict, objects * sizeof *strict);
    }
    free(strict);
}

void monitor_quasi_decide(struct monitor_input *in, const struct monitor_options *options,
                          struct budget *budget)
{
    char factor[FACTOR_TEXT];
    uint32_t objects = (uint32_t)in->history->object_names.len;
    if (options->quasi_min)
        snprintf(factor, sizeof factor, "%s=0", options->quasi_min);
    if (!spec_quasi_check(options->quasi_min ? factor : options->quasi, in->specs, objects, &in->error))
        return;
    if (options->quasi_min)
        find_least(in, options, budget);
    else
        decide_with(in, options->quasi, options, budget);
}
