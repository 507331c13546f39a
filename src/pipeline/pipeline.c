/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/pipeline_parts.h"

#include "history/jsonl.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <poll.h>
#include <string.h>
#include <sys/stat.h>

enum { WAIT_MS = 20 }; /* between looks at a file that has nothing yet */

/* `head`: bytes that were read already; they are freed. */
static bool read_history(struct pipeline_input *in, int fd, struct text head,
                         const struct format_options *options)
{
    double start = base_now();
    bool fine = format_read_rest(in->history, head, fd, options, &in->reading, &in->error);
    in->seconds_reading = base_now() - start;
    return fine;
}

/* Without --init: what registers of such files hold at first. */
static void choose_usual_initial(struct pipeline_input *in)
{
    for (size_t i = 0; i < in->history->object_names.len; i++)
        if (in->specs[i]->kind != PLUMB_KIND_REGISTER)
            return;
    in->spec_options.initial = in->reading.initial;
}

static bool choose_specs(struct pipeline_input *in, const struct plumb_spec *spec, const char *init)
{
    size_t objects = in->history->object_names.len;
    in->specs = NEW_ZEROED(const struct plumb_spec *, objects);
    in->inferred = !spec;
    in->spec_options = (struct plumb_spec_options){.values = in->history->values, .initial = PLUMB_OK};
    if (!spec && !spec_infer_all(in->history, in->specs, &in->error))
        return false;
    for (uint32_t i = 0; spec && i < objects; i++)
        in->specs[i] = spec;
    if (spec && objects)
        spec_extend_all(in->history, in->specs);
    for (uint32_t i = 0; i < objects; i++) {
        if (init && !initial_value_read(in->specs[i], init, in->history->values, &in->spec_options.initial,
                                        &in->error))
            return false;
    }
    if (!init)
        choose_usual_initial(in);
    return true;
}

void pipeline_judge_cut(struct pipeline_input *in)
{
    if (in->reading.cut && in->relaxed && in->result.verdict == VERDICT_VIOLATED) {
        /* With what was cut off it may be quasi linearizable: an item may be removed a little before it is
         * added. */
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

static uint64_t judged;

uint64_t pipeline_judged(void)
{
    return judged;
}

static void decide(struct pipeline_input *in, const struct plumb_spec *spec,
                   const struct pipeline_question *question, struct budget *budget)
{
    if (question->find_spec && !(spec = question->find_spec(question->find_context, in->history, &in->error)))
        return;
    if (!choose_specs(in, spec, question->init) || !spec_bind(in->history, in->specs, &in->error))
        return;
    history_pack(in->history);
    struct monitor_settings settings = {.options = &in->spec_options,
                                        .specs = in->specs,
                                        .budget = budget,
                                        .helpers = question->helpers,
                                        .keep_witnesses = question->keep_witnesses};
    judged++;
    if (question->quasi || question->quasi_min)
        pipeline_quasi_decide(in, question, budget);
    else
        monitor_history(in->history, &settings, &in->result, &in->error);
    if (in->error.code)
        return;
    pipeline_judge_cut(in);
    settings.keep_witnesses = false;
    if (question->moment && in->result.verdict == VERDICT_VIOLATED)
        in->has_moment = monitor_earliest(in->history, &settings, &in->moment);
}

/* ---- files and streams ---- */

enum opening { OPENING_BAD, OPENING_STREAM, OPENING_WHOLE };

static bool is_regular(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

/* A file that grows may not have its first line yet. */
static bool find_stream(int fd, struct text *head, const struct pipeline_question *question,
                        struct budget *budget)
{
    bool streams;
    while (!(streams = format_starts_stream(fd, head)) && question->follow && !format_is_recognised(head) &&
           !budget_time_is_up(budget))
        poll(NULL, 0, WAIT_MS);
    return streams;
}

/* Binary files are taken as a whole if they are complete: more can be said of them then. */
static enum opening open_input(struct pipeline_input *in, int fd, struct text *head,
                               const struct pipeline_question *question, struct budget *budget)
{
    bool is_quasi = question->quasi || question->quasi_min;
    if (question->format.format != FORMAT_AUTO && !question->follow)
        return OPENING_WHOLE;
    bool events = find_stream(fd, head, question, budget);
    bool binary = format_detect(head->data, head->len) == FORMAT_BINARY;
    if (is_quasi && (events || question->follow)) {
        diagnostic_set(
            &in->error, PL_USAGE, 0, 0,
            "quasi linearizability is decided for whole histories, not for streams (--format jsonl "
            "reads one to its end first)");
        return OPENING_BAD;
    }
    if (question->follow && !events && !binary) {
        diagnostic_set(&in->error, PL_USAGE, 0, 0,
                       "--follow takes events of JSON lines or a binary file; this is neither");
        return OPENING_BAD;
    }
    return events || (binary && !is_quasi && (question->follow || !is_regular(fd))) ? OPENING_STREAM
                                                                                    : OPENING_WHOLE;
}

void pipeline_judge_file(struct pipeline_input *in, const char *path, const struct plumb_spec *spec,
                         const struct pipeline_question *question)
{
    *in = (struct pipeline_input){.path = path, .name = strcmp(path, "-") ? path : "<stdin>"};
    struct budget budget = budget_start(question->time, question->memory_limit);
    int fd = history_file_open(path, &in->error);
    struct text head = {0};
    if (fd < 0)
        return;
    in->history = history_create();
    enum opening opening = open_input(in, fd, &head, question, &budget);
    if (opening == OPENING_STREAM)
        pipeline_stream_follow(in, fd, head, spec, question, &budget);
    else if (opening == OPENING_WHOLE && read_history(in, fd, head, &question->format)) {
        budget.stop = question->listener.stop;
        decide(in, spec, question, &budget);
    }
    if (opening == OPENING_BAD)
        text_free(&head);
    history_file_close(fd);
}

void pipeline_judge_history(struct pipeline_input *in, const char *name, struct history *h,
                            const struct plumb_spec *spec, const struct pipeline_question *question)
{
    *in = (struct pipeline_input){.path = name, .name = name, .history = h, .reading.initial = PLUMB_OK};
    struct budget budget = budget_start(question->time, question->memory_limit);
    decide(in, spec, question, &budget);
}

void pipeline_judge_memory(struct pipeline_input *in, const char *name, const char *text, size_t length,
                           const struct plumb_spec *spec, const struct pipeline_question *question)
{
    *in = (struct pipeline_input){
        .path = name, .name = name, .history = history_create(), .reading.initial = PLUMB_OK};
    struct budget budget = budget_start(question->time, question->memory_limit);
    if (jsonl_read_memory(in->history, text, length, &in->error))
        decide(in, spec, question, &budget);
}

void pipeline_free(struct pipeline_input *in)
{
    if (!in->error.code)
        monitor_result_free(&in->result);
    for (size_t i = 0; in->relaxed && i < in->history->object_names.len; i++)
        spec_quasi_free(in->specs[i]);
    free(in->specs);
    format_reading_free(&in->reading);
    history_destroy(in->history);
}

enum verdict pipeline_verdict(const struct pipeline_input *in)
{
    return in->error.code ? VERDICT_NONE : in->result.verdict;
}
