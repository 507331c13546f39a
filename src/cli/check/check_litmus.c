/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check/check_litmus.h"

#include "base/interruption.h"
#include "base/terminal.h"
#include "campaign/verdict_scope.h"
#include "cli/common/json_document.h"
#include "explain/model/explain_litmus.h"
#include "cli/common/output.h"
#include "cli/common/report_files.h"
#include "cli/common/time_limit.h"
#include "litmus/outcomes.h"

#include <inttypes.h>
#include <string.h>

struct litmus_run {
    const struct campaign_options *options;
    const struct memory_model *model;
    struct text inputs, limits; /* JSON */
    struct verdict_scope scope;
    uint64_t executions, blocked;
    struct report_files files;
};

bool check_litmus_is(const char *file)
{
    size_t length = strlen(file);
    return length > 7 && strcmp(file + length - 7, ".litmus") == 0;
}

static bool prints_text(const struct campaign_options *o)
{
    return !o->json || strcmp(o->json, "-") != 0;
}

/* ------------------------------------------------------------------ verdict */

/* `exists` asks and claims nothing; `~exists` and `forall` claim. */
static enum cli_exit conclude(const struct outcomes *o)
{
    if (outcomes_are_open(o))
        return EXIT_INCONCLUSIVE;
    if (outcomes_are_undefined(o))
        return EXIT_VIOLATED;
    return o->test->quantifier == LITMUS_EXISTS || outcomes_ok(o) ? EXIT_HOLDS : EXIT_VIOLATED;
}

/* ------------------------------------------------------------------ text */

static void print_line(const char *file, const struct outcomes *o, enum cli_exit exit)
{
    struct text line = {0};
    terminal_add_safe(&line, file);
    text_printf(&line, ": %s (", verdict_name(cli_verdict_of(exit)));
    terminal_add_safe(&line, o->test->name);
    text_printf(&line, " %s %" PRIu64 " %" PRIu64, outcomes_observation(o), o->positive, o->negative);
    if (o->races)
        text_printf(&line, "; data race on %s", litmus_place_name(o->test, o->race));
    if (o->limit)
        text_printf(&line, "; %s", o->limit);
    text_puts(&line, ")\n");
    output_text(stdout, &line);
    text_free(&line);
}

static void print_outcomes(const char *file, const struct outcomes *o)
{
    struct text t = {0}, note = {0};
    outcomes_print(&t, o);
    output_text(stdout, &t);
    output_flush();
    terminal_add_safe(&note, file);
    if (o->races)
        fprintf(stderr,
                "%s: error: data race on %s in %" PRIu64 " execution%s: the test has no meaning [PL%04d]\n",
                note.data, litmus_place_name(o->test, o->race), o->races, o->races == 1 ? "" : "s",
                PL_LITMUS_RACE);
    if (o->limit)
        fprintf(stderr, "%s: note: executions are missing: %s\n", note.data, o->limit);
    if (o->stuck)
        fprintf(stderr,
                "%s: note: executions without a final state, because a thread waits forever: %" PRIu64 "\n",
                note.data, o->stuck);
    text_free(&t);
    text_free(&note);
}

static void print_result(const struct litmus_run *r, const char *file, const struct outcomes *o,
                         enum cli_exit exit)
{
    if (r->options->quiet)
        print_line(file, o, exit);
    else
        print_outcomes(file, o);
    uint64_t complete = o->positive + o->negative + o->filtered, blocked = o->blocked + o->stuck;
    if (r->options->verbose)
        fprintf(stderr, "  %" PRIu64 " execution%s: %" PRIu64 " complete, %" PRIu64 " blocked\n",
                complete + blocked, complete + blocked == 1 ? "" : "s", complete, blocked);
}

/* ------------------------------------------------------------------ JSON */

static void add_state(struct json_writer *w, const struct outcomes *o, size_t number)
{
    const int64_t *value = o->states.data + number * o->width;
    const struct litmus_test *t = o->test;
    json_open_object(w);
    for (size_t k = 0; k < t->observed.len; k++) {
        struct litmus_place place = t->observed.data[k];
        struct text name = {0};
        if (!place.printed)
            continue;
        if (place.thread >= 0)
            text_printf(&name, "%d:", place.thread);
        text_puts(&name, litmus_place_name(t, place));
        json_key(w, name.data), json_int(w, *value++);
        text_free(&name);
    }
    json_close_object(w);
}

static void add_outcomes(struct json_writer *w, const struct outcomes *o)
{
    struct text condition = {0};
    litmus_print_condition(&condition, o->test);
    json_member(w, "test", o->test->name);
    json_member(w, "condition", condition.data);
    json_key(w, "ok"), json_bool(w, outcomes_ok(o));
    json_member(w, "observation", outcomes_observation(o));
    json_key(w, "positive"), json_uint(w, o->positive);
    json_key(w, "negative"), json_uint(w, o->negative);
    json_key(w, "stuck"), json_uint(w, o->stuck);
    if (o->races) {
        json_member(w, "race", litmus_place_name(o->test, o->race));
        json_key(w, "races"), json_uint(w, o->races);
    }
    json_key(w, "states"), json_open_array(w);
    for (size_t k = 0; o->width && k < outcomes_count(o); k++)
        add_state(w, o, k);
    json_close_array(w);
    text_free(&condition);
}

/* Exactly one of `o` and `d`. */
static void add_input(struct litmus_run *r, const char *file, enum cli_exit exit, const struct outcomes *o,
                      const struct diagnostic *d)
{
    struct json_writer writer = {.out = &r->inputs, .comma = r->inputs.len > 0}, *w = &writer;
    struct json_writer limits = {.out = &r->limits, .comma = r->limits.len > 0};
    json_open_object(w);
    json_member(w, "name", file);
    json_member(w, "verdict", verdict_name(cli_verdict_of(exit)));
    if (d)
        json_document_add_error(w, d);
    else
        add_outcomes(w, o);
    json_close_object(w);
    if (o && o->limit)
        json_string(&limits, o->limit);
    if (d && exit == EXIT_INCONCLUSIVE)
        json_string(&limits, d->message);
}

static bool write_json(const struct litmus_run *r, const char *memory, enum cli_exit exit, double seconds)
{
    struct text t = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    json_document_open(w, "check", cli_verdict_of(exit));
    json_member(w, "memory", memory);
    json_document_add_list(w, "limits", &r->limits);
    if (scope_belongs(cli_verdict_of(exit)))
        scope_json(w, &r->scope);
    json_document_add_list(w, "inputs", &r->inputs);
    json_key(w, "executions"), json_uint(w, r->executions);
    json_key(w, "blocked"), json_uint(w, r->blocked);
    json_document_open_stats(w, seconds, RUSAGE_SELF);
    json_document_close(w);
    return json_document_save(&t, r->options->json);
}

/* ------------------------------------------------------------------ all together */

/* Exactly one of `o` and `d`. */
static void document(struct litmus_run *r, const char *file, enum cli_exit exit, const struct outcomes *o,
                     const struct diagnostic *d, double start)
{
    struct text why = {0};
    const struct litmus_answer answer = {.file = file,
                                         .verdict = cli_verdict_of(exit),
                                         .memory = campaign_memory_name(r->options),
                                         .outcomes = o,
                                         .why = d ? report_files_message(&why, d) : NULL,
                                         .seconds = base_now() - start};
    add_input(r, file, exit, o, d);
    if (report_paths_wanted(&r->options->files))
        litmus_document(&r->files.documents, &answer);
    text_free(&why);
}

static enum cli_exit check_one(struct litmus_run *r, const char *file, struct budget *budget)
{
    struct litmus_test test;
    struct diagnostic d = {0};
    double start = base_now();
    enum cli_exit exit = EXIT_USAGE;
    if (litmus_read(&test, file, &d)) {
        struct outcomes o;
        outcomes_explore(&o, &test, r->model, budget);
        exit = conclude(&o);
        r->executions += o.positive + o.negative + o.filtered;
        r->blocked += o.blocked + o.stuck;
        if (prints_text(r->options))
            print_result(r, file, &o, exit);
        document(r, file, exit, &o, NULL, start);
        outcomes_free(&o);
    } else {
        exit = d.code == PL_LITMUS_UNSUPPORTED ? EXIT_INCONCLUSIVE : EXIT_USAGE;
        output_diagnostic(d.code == PL_CANNOT_OPEN ? NULL : file, &d);
        document(r, file, exit, NULL, &d, start);
    }
    litmus_free(&test);
    return exit;
}

static void find_scope(struct litmus_run *r)
{
    scope_say(&r->scope, SCOPE_JUDGED, "the condition of each test");
    scope_say_model(&r->scope, r->model);
    scope_say(&r->scope, SCOPE_EXPLORED, "every execution");
    scope_say(&r->scope, SCOPE_NOT_EXAMINED, "what a compiler makes of the accesses");
}

enum cli_exit check_litmus(const struct operand_list *files, const struct campaign_options *options)
{
    struct litmus_run r = {.options = options, .model = model_find(campaign_memory_name(options))};
    struct budget budget = budget_start(options->time, 0);
    budget.stop = interruption_flag();
    time_limit_begin(options->time, files->data[0]);
    double start = base_now();
    enum cli_exit exit = EXIT_HOLDS;
    if ((options->json && !output_check(options->json)) || !report_files_begin(&r.files, &options->files))
        return EXIT_USAGE;
    find_scope(&r);
    for (size_t k = 0; k < files->len; k++)
        exit = cli_worse_exit(exit, check_one(&r, files->data[k], &budget));
    if (options->verbose && scope_belongs(cli_verdict_of(exit)))
        output_scope(&r.scope);
    if (options->json && !write_json(&r, campaign_memory_name(options), exit, base_now() - start))
        exit = cli_worse_exit(exit, EXIT_USAGE);
    if (!report_files_finish(&r.files, "check", cli_verdict_of(exit)))
        exit = cli_worse_exit(exit, EXIT_USAGE);
    scope_free(&r.scope);
    text_free(&r.inputs);
    text_free(&r.limits);
    return exit;
}
