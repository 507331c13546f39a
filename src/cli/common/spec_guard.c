/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/spec_guard.h"

#include "base/deadline.h"
#include "base/terminal.h"
#include "cli/common/json_document.h"
#include "cli/common/output.h"

#include <inttypes.h>

static enum cli_exit report(const char *file, const struct diagnostic *d)
{
    output_diagnostic(*d->file ? NULL : file, d);
    return cli_exit_of_error(d);
}

static enum cli_exit load_and_run(const struct spec_guarded *g)
{
    struct diagnostic d = {0};
    return guard_load(g->spec, &d) ? g->run(g->context) : report(g->spec, &d);
}

static int run_in_child(void *context)
{
    output_keep_results_apart();
    enum cli_exit exit = load_and_run(context);
    json_document_end(exit);
    return (int)output_finish(exit);
}

static enum cli_exit report_time_limit(const struct guard_outcome *o)
{
    struct text line = {0};
    terminal_add_safe(&line, o->input);
    output_note_error(o->input, &o->why);
    text_printf(&line, ": inconclusive (%s)\n", o->why.message);
    output_text(stdout, &line);
    text_free(&line);
    return EXIT_INCONCLUSIVE;
}

static enum cli_exit report_contradiction(const char *spec)
{
    struct diagnostic d = {0};
    diagnostic_set(
        &d, PL_BAD_SPEC, 0, 0,
        "answers of the specification contradict each other: it breaks a law in some state that was "
        "not tried when it was loaded, or this is a bug in plumb");
    return report(spec, &d);
}

/* For want of memory, and for internal errors. */
static bool is_own_end(const struct guard_outcome *o)
{
    return o->ending == GUARD_EXITED && !o->function &&
           (o->status == EXIT_INCONCLUSIVE || o->status == EXIT_BUG);
}

static enum cli_exit conclude(const char *spec, const struct guard_outcome *o)
{
    if (o->ending == GUARD_TIMED_OUT)
        return report_time_limit(o);
    if (o->ending == GUARD_FINISHED && o->status == EXIT_BUG)
        return report_contradiction(spec);
    if (o->ending == GUARD_FINISHED || is_own_end(o))
        return (enum cli_exit)o->status;
    return report(spec, &o->why);
}

/* Nothing is left out silently. */
static void report_what_is_left(const struct guard_outcome *o)
{
    if (o->behind)
        output_error(PL_SPEC_FAILED, "%" PRIu64 " input%s behind '%.200s' %s not decided", o->behind,
                     o->behind == 1 ? "" : "s", o->input, o->behind == 1 ? "was" : "were");
}

enum cli_exit spec_guard_run(const struct spec_guarded *guarded)
{
    struct diagnostic d = {0};
    struct guard_outcome o;
    if (!guard_is_file(guarded->spec))
        return guarded->run(guarded->context);
    if (guarded->here)
        return load_and_run(guarded);
    output_flush();
    deadline_set(guarded->time); /* of its compiling, too */
    if (!guard_run(&(struct guard_task){guarded->spec, guarded->time, run_in_child, (void *)guarded}, &o, &d))
        return report(NULL, &d);
    enum cli_exit exit = conclude(guarded->spec, &o);
    if (o.ending == GUARD_FINISHED) {
        json_document_forget();
        return exit;
    }
    report_what_is_left(&o);
    return cli_worse_exit(exit, (enum cli_exit)o.status_before);
}
