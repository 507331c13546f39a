/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/refine/refine_results.h"

#include "base/terminal.h"
#include "campaign/verdict_scope.h"
#include "cli/common/json_document.h"
#include "cli/common/output.h"
#include "cli/common/output_paths.h"
#include "report/json_parts.h"
#include "report/prose.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void add_scope(struct text *out, const struct refine_run *run)
{
    const struct refine_options *o = &run->options;
    if (run->result.verdict == VERDICT_INCONCLUSIVE)
        text_printf(out, " (%s)", run->result.limit);
    else if (run->result.verdict == VERDICT_HOLDS && o->free_values && !refine_is_automaton(run->path))
        text_printf(out, " for arguments 1..%" PRIu32, o->free_values);
    if (run->result.full_was_free && run->result.verdict != VERDICT_INCONCLUSIVE)
        text_puts(out, "; additions may answer FULL at any time (--full any)");
}

static void add_counterexample(struct text *out, const struct refine_run *run,
                               const struct report_style *style)
{
    const struct report_execution *x = &run->found.execution;
    const char *last = x->event_count ? x->events[x->event_count - 1].state : NULL;
    report_terminal(out, &run->found.counterexample, style);
    if (last) {
        struct prose p = {' ', 4, 100, 6, "..."};
        text_puts(out, "  variables then: ");
        prose_wrap(out, last, &p);
    }
    if (run->result.is_longer)
        text_puts(out, "\n  perhaps not the shortest: the search for a shorter run met a limit\n");
    else
        text_printf(out, "\n  shortest: no run of fewer than %zu steps fails\n", x->event_count);
    text_printf(out, "  replay: %s\n", run->command.data);
}

static void print_result(const struct refine_run *run)
{
    const struct refine_options *o = &run->options;
    struct text t = {0};
    terminal_add_safe(&t, run->path);
    text_printf(&t, ": %s", verdict_name(run->result.verdict));
    add_scope(&t, run);
    text_puts(&t, "\n");
    if (run->result.verdict == VERDICT_VIOLATED && !o->quiet) {
        struct report_style style = {
            .columns = terminal_columns(output_descriptor()),
            .color = terminal_use_color((enum terminal_color)o->color, output_descriptor()),
            .unicode = terminal_unicode(),
        };
        add_counterexample(&t, run, &style);
    }
    output_text(stdout, &t);
    text_free(&t);
}

static void print_details(const struct refine_run *run)
{
    const struct refine_result *r = &run->result;
    struct text t = {0};
    text_puts(&t, "  ");
    prose_number(&t, r->states);
    text_puts(&t, " states, ");
    prose_number(&t, r->pairs);
    text_puts(&t, " pairs, ");
    prose_number(&t, r->transitions);
    output_flush();
    fprintf(stderr, "%s transitions; %.3f s, %.1f MiB%s\n", t.data, r->seconds,
            (double)r->peak_bytes / (1 << 20), r->by_points ? "; by linearization points" : "");
    text_free(&t);
}

static void find_scope(const struct refine_run *run, struct verdict_scope *s)
{
    const struct refine_options *o = &run->options;
    scope_say(s, SCOPE_JUDGED, "%s (--spec)%s%s", o->spec, o->quasi ? ", quasi linearizability, factor " : "",
              o->quasi ? o->quasi : "");
    scope_say(s, SCOPE_MEMORY, "sequentially consistent, the steps of the model");
    scope_say(s, SCOPE_EXPLORED, "every run of the model's threads, of any length");
    if (o->free_values)
        scope_say(s, SCOPE_BOUNDS, "%" PRIu32 " values", o->free_values);
    else
        scope_say(s, SCOPE_ASSUMED, "values that are added differ");
    if (run->result.full_was_free)
        scope_say(s, SCOPE_ASSUMED, "an addition may answer at any time that there is no room");
    scope_say(s, SCOPE_NOT_EXAMINED, "whether a program does what the model does");
}

static bool write_json(const struct refine_run *run)
{
    const struct refine_result *r = &run->result;
    struct text t = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    struct verdict_scope scope = {0};
    find_scope(run, &scope);
    const struct json_proof head = {.command = "refine",
                                    .input = run->path,
                                    .verdict = r->verdict,
                                    .limit = r->limit,
                                    .pairs = r->pairs,
                                    .states = r->states,
                                    .transitions = r->transitions};
    json_document_open_proof(w, &head, &scope);
    json_member(w, "values", run->options.free_values ? "free" : "distinct");
    if (run->options.free_values)
        json_key(w, "free_values"), json_uint(w, run->options.free_values);
    json_key(w, "by_points"), json_bool(w, r->by_points);
    json_key(w, "full_was_free"), json_bool(w, r->full_was_free);
    if (r->verdict == VERDICT_VIOLATED)
        json_add_model(w, &run->found.counterexample);
    json_document_open_stats(w, r->seconds, RUSAGE_SELF);
    json_document_close(w);
    return json_document_save(&t, run->options.json);
}

static bool write_documents(struct refine_run *run)
{
    const struct refine_result *r = &run->result;
    const struct report_counterexample *found = &run->found.counterexample;
    struct report_case one = {.name = run->path,
                              .verdict = r->verdict,
                              .message = r->verdict == VERDICT_INCONCLUSIVE ? r->limit : NULL,
                              .seconds = r->seconds};
    const struct report_style style = {.columns = 100, .unicode = true};
    struct text text = {0};
    if (!report_paths_wanted(&run->options.files))
        return true;
    if (one.verdict == VERDICT_VIOLATED) {
        add_counterexample(&text, run, &style);
        one.text = text.data;
        one.found = &found;
        one.found_count = 1;
    }
    bool written = report_files_write_proof(&run->options.files, "refine", &one, r->states);
    text_free(&text);
    return written;
}

enum cli_exit refine_report(struct refine_run *run)
{
    const struct refine_options *o = &run->options;
    run->outcome = (struct refine_outcome){.name = run->path,
                                           .specification = o->spec,
                                           .quasi = o->quasi,
                                           .reading = (enum refine_reading)o->reading,
                                           .trace = o->trace,
                                           .full_any = o->full == REFINE_FULL_ANY,
                                           .system = run->model,
                                           .spec = run->spec,
                                           .result = &run->result,
                                           .command = run->command.data};
    bool explains = !o->quiet || o->json || report_paths_wanted(&o->files);
    if (run->result.verdict == VERDICT_VIOLATED && explains)
        explain_model(&run->found, &run->outcome, o->files.of[REPORT_HTML]);
    if (!run->options.json || strcmp(run->options.json, "-") != 0)
        print_result(run);
    if (run->options.verbose)
        print_details(run);
    bool written = (!run->options.json || write_json(run)) && write_documents(run);
    explain_model_free(&run->found);
    enum cli_exit exit = cli_exit_of(run->result.verdict);
    return written ? exit : cli_worse_exit(exit, EXIT_USAGE);
}
