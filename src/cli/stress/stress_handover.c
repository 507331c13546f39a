/* SPDX-License-Identifier: Apache-2.0 */
/* What the explorer makes of a violation on real threads. */
#include "base/interruption.h"
#include "base/terminal.h"
#include "cli/check/check_program.h"
#include "cli/common/output.h"
#include "cli/stress/stress_command.h"

#include <inttypes.h>

void stress_hand_over(struct stress_command *c)
{
    const struct stress_settings *s = &c->settings;
    const struct stress_finding *f = c->run.result.finding;
    if (!f || s->no_handover || interruption_came() ||
        s->init) /* tests begin with what the specification begins with */
        return;
    c->handover = (struct handover){.source = c->source,
                                    .spec = s->spec,
                                    .quasi = s->quasi,
                                    .out = s->out,
                                    .keys = s->keys,
                                    .seed = s->seed,
                                    .seconds = s->handover};
    for (size_t i = 0; i < c->files.len; i++)
        vec_push(&c->handover.files, c->files.data[i]);
    handover_explore(&c->handover, f->error == STRESS_NOT_LINEARIZABLE ? &f->counterexample : NULL);
    c->was_handed_over = true;
}

/* The command that shows it, for a test suite. */
static void add_command(struct text *out, const struct stress_command *c)
{
    const struct campaign *failed = c->handover.failed;
    auto_add_check_command(out, &c->files, failed->options.test);
    auto_add_check_options(out, &failed->options);
    auto_add_all_flags(out, &c->source);
}

const struct report_counterexample *stress_explored(const struct stress_command *c)
{
    return c->handover.failed ? &c->handover.failed->errors.data[0].explained->counterexample : NULL;
}

static const char *describe_test(const struct handover *h)
{
    if (!h->is_made)
        return "of small tests of the harness this one fails: ";
    return h->was_cut
               ? "every execution of these operations; a test that fails, perhaps not the smallest, is "
               : "every execution of these operations; the smallest test that fails is ";
}

static void add_failed(struct text *out, const struct stress_command *c)
{
    const struct handover *h = &c->handover;
    struct report_style style = output_style(c->settings.color);
    text_printf(out, "\n  explored under %s: ", campaign_memory_name(&h->failed->options));
    text_puts(out, describe_test(h));
    terminal_add_safe(out, h->failed->options.test);
    text_puts(out, "\n");
    check_add_error(out, h->failed, &h->failed->errors.data[0], &style);
    text_puts(out, "  as a test: ");
    add_command(out, c);
    text_puts(out, "\n");
}

static void add_none_failed(struct text *out, const struct handover *h, double seconds)
{
    text_printf(out, "  the explorer found no error in %" PRIu64 " test%s of a few operations", h->tests,
                h->tests == 1 ? "" : "s");
    if (h->undecided)
        text_printf(out, ", %" PRIu64 " of them undecided, first because %s", h->undecided, h->undecided_why);
    text_printf(out, " (--handover %g)\n", seconds);
}

void stress_add_handover(struct text *out, const struct stress_command *c)
{
    const struct handover *h = &c->handover;
    if (!c->was_handed_over)
        return;
    if (h->failed)
        add_failed(out, c);
    else if (h->not_run)
        text_printf(out, "  not explored: %s\n", h->not_run);
    else
        add_none_failed(out, h, c->settings.handover);
}

void stress_add_handover_json(struct json_writer *w, const struct stress_command *c)
{
    const struct handover *h = &c->handover;
    if (!c->was_handed_over)
        return;
    json_key(w, "handover"), json_open_object(w);
    json_key(w, "tests"), json_uint(w, h->tests);
    if (h->undecided)
        json_key(w, "undecided"), json_uint(w, h->undecided);
    if (h->made)
        json_member(w, "made", h->made);
    if (h->not_run)
        json_member(w, "not_run", h->not_run);
    if (h->failed) {
        struct text rendered = {0}, command = {0};
        report_json(&rendered, stress_explored(c));
        add_command(&command, c);
        json_member(w, "failing_test", h->failed->options.test);
        json_member(w, "memory", campaign_memory_name(&h->failed->options));
        json_member(w, "command", command.data);
        json_key(w, "shrunk"), json_bool(w, !h->was_cut);
        json_key(w, "counterexample"), json_raw(w, rendered.data);
        text_free(&rendered);
        text_free(&command);
    }
    json_close_object(w);
}
