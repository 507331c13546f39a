/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/monitor_input.h"

#include "cli/history_file.h"
#include "cli/monitor_quasi.h"
#include "cli/spec_choice.h"
#include "cli/stream_input.h"
#include "spec/spec_quasi.h"

#include <string.h>

/* `head`: bytes that were read already; they are freed. */
static bool read_history(struct monitor_input *in, int fd, struct text head,
                         const struct format_options *options)
{
    double start = base_now();
    bool fine = format_read_rest(in->history, head, fd, options, &in->reading, &in->error);
    in->seconds_reading = base_now() - start;
    return fine;
}

/* Without --init: what registers of such files hold at first. */
static void choose_usual_initial(struct monitor_input *in)
{
    for (size_t i = 0; i < in->history->object_names.len; i++)
        if (in->specs[i]->kind != PLUMB_KIND_REGISTER)
            return;
    in->spec_options.initial = in->reading.initial;
}

static bool choose_specs(struct monitor_input *in, const struct plumb_spec *spec, const char *init)
{
    size_t objects = in->history->object_names.len;
    in->specs = NEW_ZEROED(const struct plumb_spec *, objects);
    in->inferred = !spec;
    in->spec_options = (struct plumb_spec_options){.values = in->history->values, .initial = PLUMB_OK};
    if (!spec && !spec_infer_all(in->history, in->specs, &in->error))
        return false;
    for (uint32_t i = 0; i < objects; i++) {
        if (spec)
            in->specs[i] = spec;
        if (init && !spec_choice_initial(in->specs[i], init, in->history->values, &in->spec_options.initial,
                                         &in->error))
            return false;
    }
    if (!init)
        choose_usual_initial(in);
    return true;
}

/* What is missing in a file that was cut can only be later: a violation stays one, anything else is not known. */
static void judge_cut(struct monitor_input *in)
{
    if (in->reading.cut && in->relaxed && in->result.verdict == VERDICT_VIOLATED) {
        /* With what was cut off it may be quasi linearizable: an item may be removed a little before it is added. */
        struct monitor_result open = {.verdict = VERDICT_INCONCLUSIVE,
                                      .operations = in->result.operations,
                                      .objects = in->result.objects};
        monitor_result_free(&in->result);
        in->result = open;
    }
    if (!in->reading.cut || in->result.verdict == VERDICT_VIOLATED)
        return;
    struct text limit = {0};
    text_printf(&limit, "%s%s", in->reading.cut,
                in->result.verdict == VERDICT_HOLDS ? "; up to there it holds" : "");
    if (in->result.limit)
        text_printf(&limit, "; %s", in->result.limit);
    free(in->result.limit);
    in->result.limit = text_take(&limit);
    in->result.verdict = VERDICT_INCONCLUSIVE;
}

static void decide(struct monitor_input *in, const struct plumb_spec *spec,
                   const struct monitor_options *options, struct budget *budget)
{
    if (options->find_spec && !(spec = options->find_spec(options->find_context, in->history, &in->error)))
        return;
    if (!choose_specs(in, spec, options->init) || !spec_bind(in->history, in->specs, &in->error))
        return;
    struct monitor_settings settings = {.options = &in->spec_options,
                                        .specs = in->specs,
                                        .budget = budget,
                                        .keep_witnesses = options->keep_witnesses};
    if (options->quasi || options->quasi_min)
        monitor_quasi_decide(in, options, budget);
    else
        monitor_history(in->history, &settings, &in->result, &in->error);
    if (in->error.code)
        return;
    judge_cut(in);
    settings.keep_witnesses = false;
    if (options->explain && in->result.verdict == VERDICT_VIOLATED)
        in->has_moment = monitor_earliest(in->history, &settings, &in->moment);
}

void monitor_input_judge(struct monitor_input *in, const char *path, const struct plumb_spec *spec,
                         const struct monitor_options *options)
{
    *in = (struct monitor_input){.path = path, .name = strcmp(path, "-") ? path : "<stdin>"};
    struct budget budget = budget_start(options->time, options->memory_limit);
    int fd = history_file_open(path, &in->error);
    struct text head = {0};
    if (fd < 0)
        return;
    in->history = history_create();
    bool streams = stream_input_starts(fd, &options->format_options, &head);
    if (streams && (options->quasi || options->quasi_min)) {
        diagnostic_set(
            &in->error, PL_USAGE, 0, 0,
            "quasi linearizability is decided for whole histories, not for streams (--format jsonl "
            "reads one to its end first)");
        text_free(&head);
    } else if (streams)
        stream_input_follow(in, fd, head, spec, options, &budget);
    else if (read_history(in, fd, head, &options->format_options))
        decide(in, spec, options, &budget);
    history_file_close(fd);
}

void monitor_input_judge_history(struct monitor_input *in, const char *name, struct history *h,
                                 const struct plumb_spec *spec, const struct monitor_options *options)
{
    *in = (struct monitor_input){.path = name, .name = name, .history = h, .reading.initial = PLUMB_OK};
    struct budget budget = budget_start(options->time, options->memory_limit);
    decide(in, spec, options, &budget);
}

void monitor_input_free(struct monitor_input *in)
{
    if (!in->error.code)
        monitor_result_free(&in->result);
    for (size_t i = 0; in->relaxed && i < in->history->object_names.len; i++)
        spec_quasi_free(in->specs[i]);
    free(in->specs);
    format_reading_free(&in->reading);
    history_destroy(in->history);
}

enum cli_exit monitor_input_exit(const struct monitor_input *in)
{
    if (in->error.code)
        return in->error.code == PL_INTERNAL ? EXIT_BUG : EXIT_USAGE;
    switch (in->result.verdict) {
    case VERDICT_HOLDS: return EXIT_HOLDS;
    case VERDICT_VIOLATED: return EXIT_VIOLATED;
    case VERDICT_INCONCLUSIVE: return EXIT_INCONCLUSIVE;
    }
    return EXIT_BUG;
}

const char *monitor_input_verdict(const struct monitor_input *in)
{
    return in->error.code ? "error" : verdict_name(in->result.verdict);
}
