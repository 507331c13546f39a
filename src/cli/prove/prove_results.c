/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shell_word.h"
#include "base/terminal.h"
#include "campaign/verdict_scope.h"
#include "cli/common/json_document.h"
#include "cli/common/output.h"
#include "cli/common/output_paths.h"
#include "cli/prove/prove_options.h"
#include "report/json_parts.h"
#include "report/prose.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- the line ------------------------------------------------------------------------------------------------------ */

/* "any number of calls of 2 threads, at most 3 items inside" */
static void add_bounds(struct text *out, const struct proving *p)
{
    const struct prove_shared *a = p->answer;
    uint32_t inside = a->question.inside, all = a->capacity + p->question.threads;
    text_printf(out, "any number of calls of %" PRIu32 " thread%s", p->question.threads,
                p->question.threads == 1 ? "" : "s");
    if (a->counts_items && a->has_cut && *a->uncounted)
        text_printf(out, ", at most %" PRIu32 " additions more than removals (%s is none)", inside,
                    a->uncounted);
    else if (a->counts_items && a->has_cut)
        text_printf(out, ", at most %" PRIu32 " item%s inside", inside, inside == 1 ? "" : "s");
    if (a->has_cut && a->capacity >= inside)
        text_puts(out, ", so no addition finds it full");
    if (a->has_cut && a->capacity >= inside && all <= PROVE_INSIDE_MOST)
        text_printf(out, " (--inside %" PRIu32 ")", all);
    if (a->free_values && a->takes_arguments)
        text_printf(out, ", arguments 1..%" PRIu32, a->free_values);
    text_puts(out, p->question.tso ? ", tso" : ", sc");
}

/* "no item is negative or 0, 7": what the code treats otherwise. False: nothing. */
static bool add_taken(struct text *out, const struct prove_shared *a)
{
    if (!a->taken_count && !a->wants_positive)
        return false;
    text_puts(out, a->wants_positive ? "no item is negative" : "no item is ");
    for (uint32_t i = 0; i < a->taken_count; i++)
        text_printf(out, "%s%" PRId64, i ? ", " : a->wants_positive ? " or " : "", a->taken[i]);
    return true;
}

/* Items that are equal. */
static void add_equal(struct text *out, const struct proving *p)
{
    if (p->assumes_different)
        text_puts(out, "; assuming that items are all different, because the code compares them");
    if (!p->equal_pairs)
        return;
    text_puts(out, "; equal items, which the code compares: 1..2, ");
    prose_number(out, p->equal_pairs);
    text_puts(out, " pairs");
}

/* What the user has chosen to assume. */
static void add_assumptions(struct text *out, const struct proving *p)
{
    struct text taken = {0};
    if (add_taken(&taken, p->answer))
        text_printf(out, "; assuming that %s, which the code treats otherwise", taken.data);
    text_free(&taken);
    add_equal(out, p);
    if (p->shifts)
        text_printf(out,
                    "; assuming that counters %s never wrap, and matter only up to multiples of %" PRIu32,
                    p->shifts, p->answer->shift_by);
    if (p->question.stale)
        text_printf(out, ", and that copies more than %" PRIu32 " behind behave alike", p->question.stale);
    if (p->answer->asked_time)
        text_puts(out, "; assuming that clocks only set limits of waits, which may be reached at any time");
    if (p->forgets)
        text_printf(out, "; assuming that nothing depends on %s", p->forgets);
    if (p->has_own_functions)
        text_puts(out, "; assuming that library functions do what those of plumb/compiled do");
}

static void add_evidence(struct text *out, const struct proving *p)
{
    text_puts(out, " (");
    prose_number(out, p->answer->pairs);
    text_puts(out, " pairs; items and addresses opaque: ");
    if (p->question.no_twins) {
        text_puts(out, "assumed");
    } else {
        prose_number(out, p->answer->twins);
        text_puts(out, " twin steps");
        if (p->answer->other_runs) {
            text_puts(out, ", ");
            prose_number(out, p->answer->other_runs);
            text_puts(out, " runs with others");
        }
        text_puts(out, " agree");
    }
    add_assumptions(out, p);
    if (p->answer->table.state_count)
        text_puts(out, p->golden || p->golden_define
                           ? "; judged by what the golden implementation answers"
                           : "; judged by serial runs: what it answers one call after the other");
    if (p->answer->full_was_free)
        text_puts(out, "; additions may answer that there is no room at any time");
    if (p->question.tso)
        text_puts(out, "; buffers are empty when an operation returns");
    if (p->answer->buffers_were_full)
        text_printf(out, ", and hold at most %d stores", PROVE_BUFFER_MAX);
    if (p->answer->has_invariants)
        text_puts(out, "; not examined: PLUMB_INVARIANT");
    if (p->unshown)
        text_printf(out, "; not examined %s", p->unshown);
    text_puts(out, ")");
}

static void add_line(struct text *out, const struct proving *p)
{
    terminal_add_safe(out, p->name);
    text_printf(out, ": %s", verdict_name(p->verdict));
    if (p->verdict == VERDICT_HOLDS) {
        text_puts(out, " for ");
        add_bounds(out, p);
        add_evidence(out, p);
    } else if (p->verdict == VERDICT_INCONCLUSIVE) {
        text_printf(out, " (%s)", p->why);
    }
    text_puts(out, "\n");
}

static void add_call(struct text *out, const struct proving *p, const struct refine_event *e)
{
    text_printf(out, " %s", p->ops[e->step.op]);
    for (unsigned k = 0; k < e->step.arg_count; k++)
        text_printf(out, "%s%" PRId32, k ? "," : "(", e->args[k]);
    text_puts(out, e->step.arg_count ? ")" : "");
}

/* " push(1) pop | pop": what each thread calls. */
static void add_columns(struct text *out, const struct proving *p)
{
    for (uint32_t t = 1; t <= p->question.threads; t++) {
        bool is_first = true;
        for (size_t i = 0; i < p->run.run.len; i++) {
            const struct refine_event *e = &p->run.run.data[i];
            if (e->step.kind != REFINE_CALL || e->step.thread != t)
                continue;
            text_puts(out, is_first && out->len ? " |" : "");
            is_first = false;
            add_call(out, p, e);
        }
    }
}

static void add_option(struct text *out, const char *name, const char *value)
{
    if (!value)
        return;
    text_printf(out, " --%s", name);
    shell_add_word(out, value);
}

/* The same calls as a test: `plumb check` finds the run, or another wrong one of them. */
static void add_test(struct text *out, const struct proving *p)
{
    enum { CALLS_MOST = 16 };
    struct text columns = {0};
    const struct target_source *s = &p->source;
    if (p->calls > CALLS_MOST)
        return;
    add_columns(&columns, p);
    text_puts(out, "  as a test: plumb check");
    for (size_t i = 0; i < s->file_count; i++)
        shell_add_word(out, s->files[i]);
    text_printf(out, " --memory %s --races allow --reuse%s --test", p->question.tso ? "tso" : "sc",
                p->has_spurious ? " --spurious" : "");
    shell_add_word(out, columns.data + 1);
    add_option(out, "spec", p->spec_word);
    add_option(out, "golden", p->golden);
    add_option(out, "golden-define", p->golden_define);
    add_option(out, "quasi", *p->question.quasi ? p->question.quasi : NULL);
    for (size_t i = 0; i < s->flag_count; i++) {
        text_puts(out, i ? "" : " --");
        shell_add_word(out, s->flags[i]);
    }
    text_puts(out, "\n");
    text_free(&columns);
}

/* "answers of to_array: 1 is [2], 3 is [1,2]" */
static void add_answers(struct text *out, const struct proving *p)
{
    const struct serial_table *t = &p->answer->table;
    for (uint32_t op = 0; t->state_count && op < t->op_count; op++) {
        if (!t->ops[op].is_numbered)
            continue;
        text_printf(out, "  answers of %s:", t->ops[op].name);
        for (uint32_t i = 0; i < t->answer_count; i++)
            if (t->answers[i].op == op)
                text_printf(out, "%s %" PRIu32 " is %s", t->answers[i].number ? "," : "",
                            t->answers[i].number, t->answers[i].text);
        text_puts(out, "\n");
    }
}

static void add_counterexample(struct text *out, const struct proving *p, const struct report_style *style)
{
    report_terminal(out, &p->found.counterexample, style);
    if (p->answer->reason == PROVE_A_FAULT || p->answer->reason == PROVE_STUCK)
        text_printf(out, "\n  %s\n", p->why);
    text_printf(out,
                "\n  shortest: %" PRIu64 " steps in %" PRIu64 " calls; it was run again in another process\n",
                p->steps, p->calls);
    add_answers(out, p);
    add_test(out, p);
    if (p->replay.len)
        text_printf(out, "  replay: %s\n", p->replay.data);
}

static void print_result(const struct prove_command *c)
{
    struct text t = {0};
    add_line(&t, &c->proving);
    if (c->proving.verdict == VERDICT_VIOLATED && !c->options.quiet) {
        struct report_style style = {
            .columns = terminal_columns(output_descriptor()),
            .color = terminal_use_color((enum terminal_color)c->options.color, output_descriptor()),
            .unicode = terminal_unicode(),
        };
        add_counterexample(&t, &c->proving, &style);
    }
    output_text(stdout, &t);
    text_free(&t);
}

static void print_details(const struct proving *p)
{
    const struct prove_shared *a = p->answer;
    struct text t = {0};
    text_puts(&t, "  ");
    prose_number(&t, a->images);
    text_puts(&t, " states, ");
    prose_number(&t, a->pairs);
    text_puts(&t, " pairs, ");
    prose_number(&t, a->transitions);
    text_puts(&t, " transitions, ");
    prose_number(&t, a->twins);
    output_flush();
    fprintf(stderr, "%s twin steps; %.3f s, %.1f MiB, begun %" PRIu64 " time%s\n", t.data, a->seconds,
            (double)a->peak_bytes / (1 << 20), a->attempts, a->attempts == 1 ? "" : "s");
    text_free(&t);
}

/* --- documents ------------------------------------------------------------------------------------------------------- */

static void find_scope(const struct proving *p, struct verdict_scope *s)
{
    const struct prove_question *q = &p->question;
    scope_say(s, SCOPE_JUDGED, "%s%s%s", p->answer->spec, *q->quasi ? ", quasi linearizability, factor " : "",
              q->quasi);
    scope_say(s, SCOPE_MEMORY, "%s",
              q->tso ? "tso: stores of the compiled code wait in a buffer of their thread"
                     : "sequentially consistent, each access of the compiled code");
    if (q->tso)
        scope_say(s, SCOPE_ASSUMED, "the buffer of a thread is empty when its operation returns");
    if (p->answer->buffers_were_full)
        scope_say(s, SCOPE_BOUNDS, "%d stores in a buffer", PROVE_BUFFER_MAX);
    scope_say(s, SCOPE_EXPLORED, "every sequence of calls of %" PRIu32 " threads, of any length", q->threads);
    if (p->answer->counts_items && p->answer->has_cut)
        scope_say(s, SCOPE_BOUNDS, "at most %" PRIu32 "%s", p->answer->question.inside,
                  *p->answer->uncounted ? " additions more than removals" : " items inside");
    if (p->answer->free_values && p->answer->takes_arguments)
        scope_say(s, SCOPE_BOUNDS, "%" PRIu32 " values", p->answer->free_values);
    scope_say(s, SCOPE_ASSUMED,
              q->no_twins ? "the code does not distinguish items and addresses"
                          : "the code does not distinguish items and addresses: no twin step does");
    struct text taken = {0};
    if (add_taken(&taken, p->answer))
        scope_say(s, SCOPE_ASSUMED, "%s, which the code treats otherwise", taken.data);
    text_free(&taken);
    if (p->assumes_different)
        scope_say(s, SCOPE_ASSUMED, "items are all different: the code compares them");
    if (p->shifts)
        scope_say(s, SCOPE_ASSUMED, "counters %s never wrap, and matter only up to multiples of %" PRIu32,
                  p->shifts, p->answer->shift_by);
    if (q->stale)
        scope_say(s, SCOPE_ASSUMED, "copies of counters more than %" PRIu32 " behind behave alike", q->stale);
    if (p->answer->asked_time)
        scope_say(s, SCOPE_ASSUMED, "clocks only set limits of waits, which may be reached at any time");
    if (p->forgets)
        scope_say(s, SCOPE_ASSUMED, "nothing depends on %s", p->forgets);
    if (p->has_own_functions)
        scope_say(s, SCOPE_ASSUMED, "library functions do what those of plumb/compiled do");
    scope_say(s, SCOPE_ASSUMED, "a weak compare and swap fails only where a strong one does");
    if (p->answer->full_was_free)
        scope_say(s, SCOPE_ASSUMED, "an addition may answer at any time that there is no room");
    scope_say(s, SCOPE_NOT_EXAMINED, "whether operations end that others disturb again and again");
    scope_say(s, SCOPE_NOT_EXAMINED, "weaker memory models, data races");
    if (p->unshown)
        scope_say(s, SCOPE_NOT_EXAMINED, "%s", p->unshown);
}

static bool write_json(const struct prove_command *c)
{
    const struct proving *p = &c->proving;
    const struct prove_shared *a = p->answer;
    struct text t = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    struct verdict_scope scope = {0};
    find_scope(p, &scope);
    const struct json_proof head = {.command = "prove",
                                    .input = p->name,
                                    .verdict = p->verdict,
                                    .limit = p->why,
                                    .pairs = a->pairs,
                                    .states = a->images,
                                    .transitions = a->transitions};
    json_document_open_proof(w, &head, &scope);
    json_key(w, "twin_steps"), json_uint(w, a->twins);
    if (p->verdict == VERDICT_VIOLATED) {
        json_key(w, "run_events"), json_uint(w, p->run.run.len);
        json_key(w, "run_steps"), json_uint(w, p->steps);
        json_key(w, "run_calls"), json_uint(w, p->calls);
        if (p->recorded.len)
            json_member(w, "trace", p->recorded.data);
        json_add_model(w, &p->found.counterexample);
    }
    json_document_open_stats(w, a->seconds, RUSAGE_CHILDREN);
    json_document_close(w);
    return json_document_save(&t, c->options.json);
}

static bool write_documents(struct prove_command *c)
{
    const struct proving *p = &c->proving;
    const struct report_counterexample *found = &p->found.counterexample;
    OWNED struct text message = {0};
    if (p->verdict == VERDICT_INCONCLUSIVE)
        text_puts(&message, p->why);
    else if (p->verdict == VERDICT_HOLDS && p->unshown)
        text_printf(&message, "not examined %s", p->unshown);
    struct report_case one = {
        .name = p->name, .verdict = p->verdict, .message = message.data, .seconds = p->answer->seconds};
    const struct report_style style = {.columns = 100, .unicode = true};
    struct text text = {0};
    if (!report_paths_wanted(&c->options.files))
        return true;
    if (one.verdict == VERDICT_VIOLATED) {
        add_counterexample(&text, p, &style);
        one.text = text.data;
        one.found = &found;
        one.found_count = 1;
    }
    bool written = report_files_write_proof(&c->options.files, "prove", &one, p->answer->images);
    text_free(&text);
    return written;
}

enum cli_exit prove_report(struct prove_command *c)
{
    enum cli_exit exit = cli_exit_of(c->proving.verdict);
    if (!c->options.json || strcmp(c->options.json, "-") != 0)
        print_result(c);
    if (c->options.verbose)
        print_details(&c->proving);
    if (c->proving.unrecorded.code)
        output_diagnostic(NULL, &c->proving.unrecorded);
    bool written = (!c->options.json || write_json(c)) && write_documents(c);
    return written ? exit : cli_worse_exit(exit, EXIT_USAGE);
}
