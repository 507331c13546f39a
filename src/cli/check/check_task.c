/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check/check_task.h"

#include "base/budget.h"
#include "base/deadline.h"
#include "report/sha256.h"
#include "base/terminal.h"
#include "campaign/task/task_judge.h"
#include "cli/check/check_program.h"
#include "cli/common/json_document.h"
#include "cli/common/output.h"
#include "report/witness.h"

#include <errno.h>
#include <string.h>
#include <time.h>

struct task_run {
    const struct campaign *asked; /* options and flags */
    struct text inputs, limits;   /* JSON */
    bool witness_written;
};

static bool prints_text(const struct task_run *r)
{
    const char *json = r->asked->options.json;
    return !json || strcmp(json, "-") != 0;
}

static enum cli_exit exit_of(enum task_answer answer)
{
    return answer == TASK_TRUE ? EXIT_HOLDS : answer == TASK_FALSE ? EXIT_VIOLATED : EXIT_INCONCLUSIVE;
}

/* ------------------------------------------------------------------ text */

static void print_answer(const struct task_question *q, const struct task_judged *j)
{
    struct text line = {0};
    terminal_add_safe(&line, q->path);
    text_puts(&line, ": ");
    terminal_add_safe(&line, q->property->name);
    text_puts(&line, ": ");
    task_add_answer(&line, j);
    if (j->reason.len)
        text_puts(&line, " ("), terminal_add_safe(&line, j->reason.data), text_puts(&line, ")");
    if (!task_is_as_expected(q->property, j))
        text_printf(&line, "; the task expects %s",
                    q->property->expected == TASK_EXPECTS_TRUE ? "true" : "false");
    if (!task_is_as_expected(q->property, j) && q->property->subproperty)
        text_puts(&line, ", "), terminal_add_safe(&line, q->property->subproperty);
    text_puts(&line, "\n");
    output_text(stdout, &line);
    text_free(&line);
}

static void print_error(const struct task_judged *j)
{
    struct text t = {0};
    struct report_style style = output_style(j->campaign.options.color);
    style.full = j->campaign.options.full;
    check_add_error(&t, &j->campaign, j->error, &style);
    output_text(stdout, &t);
    text_free(&t);
}

/* ------------------------------------------------------------------ the witness */

/* SOURCE_DATE_EPOCH makes it the same from run to run. */
static int64_t creation_time(void)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    return fixed ? strtoll(fixed, NULL, 10) : (int64_t)time(NULL);
}

static bool write_witness(const struct task_question *q, const struct task_judged *j, const char *path)
{
    struct text formula = {0}, hash = {0}, program = {0}, out = {0};
    struct witness w = {.producer = "plumb " PLUMB_VERSION,
                        .program = q->task->files.data[0],
                        .is_32bit = q->task->is_ilp32,
                        .created = creation_time(),
                        .execution = j->error->explained->counterexample.execution};
    text_add_file(&program, w.program);
    sha256_add_hex(&hash, program.data ? program.data : "", program.len);
    task_add_formula(&formula, j);
    w.program_hash = hash.data;
    w.specification = formula.data;
    witness_render(&out, &w);
    FILE *file = output_open(path);
    if (file)
        output_text(file, &out);
    text_free(&formula), text_free(&hash), text_free(&program), text_free(&out);
    return file && output_close(file, path);
}

/* ------------------------------------------------------------------ JSON */

static void add_json(struct task_run *r, const struct task_question *q, const struct task_judged *j)
{
    struct json_writer writer = {.out = &r->inputs, .comma = r->inputs.len > 0}, *w = &writer;
    struct json_writer limits = {.out = &r->limits, .comma = r->limits.len > 0};
    struct text answer = {0};
    task_add_answer(&answer, j);
    json_open_object(w);
    json_member(w, "name", q->path);
    json_member(w, "property", q->property->name);
    json_member(w, "verdict", verdict_name(cli_verdict_of(exit_of(j->answer))));
    json_member(w, "answer", answer.data);
    if (q->property->expected)
        json_key(w, "as_expected"), json_bool(w, task_is_as_expected(q->property, j));
    if (j->reason.len)
        json_member(w, "reason", j->reason.data);
    json_close_object(w);
    if (j->reason.len)
        json_string(&limits, j->reason.data);
    text_free(&answer);
}

static bool write_json(const struct task_run *r, enum cli_exit exit, double seconds)
{
    struct text t = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    json_document_open(w, "check", cli_verdict_of(exit));
    json_document_add_list(w, "limits", &r->limits);
    json_document_add_list(w, "inputs", &r->inputs);
    json_document_open_stats(w, seconds, RUSAGE_CHILDREN);
    json_document_close(w);
    return json_document_save(&t, r->asked->options.json);
}

/* ------------------------------------------------------------------ all together */

static bool show(struct task_run *r, const struct task_question *q, const struct task_judged *j)
{
    const struct campaign_options *o = &r->asked->options;
    add_json(r, q, j);
    if (prints_text(r))
        print_answer(q, j);
    if (prints_text(r) && j->answer == TASK_FALSE && !o->quiet)
        print_error(j);
    if (j->answer != TASK_FALSE || !o->witness || r->witness_written)
        return true;
    r->witness_written = true;
    return write_witness(q, j, o->witness);
}

static enum cli_exit judge_property(struct task_run *r, const struct task_question *q)
{
    struct task_judged judged;
    struct diagnostic why = {0};
    enum cli_exit exit = EXIT_USAGE;
    deadline_set(q->options->time);
    if (task_judge(q, &judged, &why))
        exit =
            show(r, q, &judged) ? exit_of(judged.answer) : cli_worse_exit(exit_of(judged.answer), EXIT_USAGE);
    else
        output_diagnostic(NULL, &why), exit = cli_exit_of_error(&why);
    task_judged_free(&judged);
    return exit;
}

static enum cli_exit judge_task(struct task_run *r, const char *path, const struct task_file *task)
{
    struct task_words words = {0};
    struct task_question q = {.path = path,
                              .task = task,
                              .words = &words,
                              .options = &r->asked->options,
                              .flags = r->asked->source.flags,
                              .flag_count = r->asked->source.flag_count};
    enum cli_exit exit = EXIT_HOLDS;
    size_t judged = 0;
    for (size_t k = 0; k < task->files.len && exit == EXIT_HOLDS && task_is_in_c(task); k++)
        if (!task_words_add(&words, task->files.data[k]))
            exit = output_error(PL_CANNOT_OPEN, "cannot open '%.200s': %s", task->files.data[k],
                                strerror(errno));
    for (size_t k = 0; k < task->properties.len && exit != EXIT_USAGE; k++) {
        q.property = &task->properties.data[k];
        if (q.options->property && strcmp(q.options->property, q.property->name) != 0)
            continue;
        exit = judged++ ? cli_worse_exit(exit, judge_property(r, &q)) : judge_property(r, &q);
    }
    if (!judged && exit == EXIT_HOLDS)
        exit =
            output_error(PL_USAGE, "the task '%.200s' has no property '%.100s'", path, q.options->property);
    task_words_free(&words);
    return exit;
}

static enum cli_exit judge_file(struct task_run *r, const char *path)
{
    struct task_file task;
    struct diagnostic why = {0};
    enum cli_exit exit = EXIT_USAGE;
    if (task_file_read(&task, path, &why))
        exit = judge_task(r, path, &task);
    else
        output_diagnostic(why.code == PL_CANNOT_OPEN ? NULL : path, &why);
    task_file_free(&task);
    return exit;
}

enum cli_exit check_tasks(const struct campaign *c)
{
    struct task_run r = {.asked = c};
    double start = base_now();
    enum cli_exit exit = EXIT_HOLDS;
    if ((c->options.json && !output_check(c->options.json)) ||
        (c->options.witness && !output_check(c->options.witness)))
        return EXIT_USAGE;
    for (size_t k = 0; k < c->files.len; k++)
        exit = cli_worse_exit(exit, judge_file(&r, c->files.data[k]));
    if (c->options.json && !write_json(&r, exit, base_now() - start))
        exit = cli_worse_exit(exit, EXIT_USAGE);
    text_free(&r.inputs);
    text_free(&r.limits);
    return exit;
}
