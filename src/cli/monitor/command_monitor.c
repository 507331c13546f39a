/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb monitor`. */
#include "base/interruption.h"
#include "base/terminal.h"
#include "base/vec.h"
#include "explain/history/explain.h"
#include "cli/common/format_option.h"
#include "cli/common/json_document.h"
#include "cli/common/command.h"
#include "cli/monitor/monitor_json.h"
#include "cli/monitor/monitor_options.h"
#include "pipeline/pipeline.h"
#include "cli/common/output.h"
#include "ownspec/spec_choice.h"
#include "cli/common/spec_guard.h"
#include "cli/common/time_limit.h"
#include "history/value_text.h"
#include "report/prose.h"
#include "spec/aliases.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <sys/resource.h>
#include <unistd.h>

#define FIELD(name) offsetof(struct monitor_options, name)

static const struct option_entry monitor_options_table[] = {
    {"spec", 0, OPTION_TEXT, "NAME|FILE.c", FIELD(spec), 0, 0,
     "The specification of every object, one of 'plumb specs' or your own in C (docs/own_specs.md); without "
     "it, each object's is inferred from its operations."},
    {"init", 0, OPTION_TEXT, "V", FIELD(question.init), 0, 0,
     "The initial value, in JSON: 7, null, '\"text\"'. Only for specifications that have one, such as "
     "register."},
    {"format", 0, OPTION_TEXT, "F", FIELD(format), 0, 0,
     "The format of the inputs: jsonl, bin, edn, log, kv; by default recognised by their content."},
    {"jepsen", 0, OPTION_TEXT, "LIST", FIELD(jepsen), 0, 0,
     "What events of edn, log and kv mean: nil=any or nil=value, fail=drop or fail=false, keys=tuples or "
     "keys=none, with commas between (docs/formats.md)."},
    {"quasi", 0, OPTION_TEXT, "Q", FIELD(question.quasi), 0, 0,
     "Quasi linearizability: operations that take something away may be up to Q places out of order among "
     "each other; or name what may move, as in deq=2,enq=1 (docs/quasi.md)."},
    {"quasi-min", 0, OPTION_TEXT, "CLASS", FIELD(question.quasi_min), 0, 0,
     "Find the smallest factor of CLASS (deq, or pop_front+pop_back) with which the history is quasi "
     "linearizable."},
    {"reading", 0, OPTION_CHOICE, "cc|c", FIELD(question.reading), 0, 0,
     "Of quasi linearizability: cc, more removals may follow (the default); c, the history is complete."},
    OUT_OPTION(FIELD(out)),
    JSON_OPTION(FIELD(json)),
    REPORT_FILE_OPTIONS(FIELD(files)),
    {"time", 0, OPTION_SECONDS, "S", FIELD(question.time), 0, 0,
     "Give up on an input after S seconds (no limit)."},
    {"memory-limit", 0, OPTION_BYTES, "N[K|M|G]", FIELD(question.memory_limit), 0, 0,
     "Give up when a search keeps more bytes than this (half of the memory there is)."},
    {"jobs", 0, OPTION_NUMBER, "N", FIELD(jobs), 1, 64,
     "Search keys and objects that take long in N processes (one), which share the memory; the result is the "
     "same."},
    {"explain", 0, OPTION_FLAG, NULL, FIELD(question.moment), 0, 0,
     "Of a violated history, name the last moment at which it was legal, and the operation that ended that."},
    {"follow", 'f', OPTION_FLAG, NULL, FIELD(question.follow), 0, 0,
     "Read files that are still written to as streams: to the end mark of a recording (docs/recording.md), "
     "or "
     "until Ctrl-C."},
    {"heartbeat", 0, OPTION_SECONDS, "S", FIELD(question.listener.every), 0, 0,
     "Report the progress of a stream on stderr every S seconds (5), unless --quiet."},
    COLOR_OPTION(FIELD(color)),
    QUIET_OPTION(FIELD(quiet)),
    {"verbose", 'v', OPTION_FLAG, NULL, FIELD(verbose), 0, 0,
     "Print on stderr how each object was decided, how long it took, and how much memory."},
};

static const struct option_section monitor_sections[] = {
    {"description",
     "A history is a file with a JSON object per operation and line, in any order; '-' is standard input:\n"
     "  {\"thread\":1,\"op\":\"enq\",\"arg\":7,\"call\":3,\"return\":9}\n"
     "  {\"thread\":2,\"op\":\"deq\",\"result\":7,\"call\":5,\"return\":12}\n"
     "An operation without \"return\" is pending; \"object\" names the object when there are several; a "
     "\"result\" of null means empty, and no \"result\" a plain ok. An operation precedes another when its "
     "return is strictly smaller than the other's call.\n"
     "A stream has calls and returns as they happen, and is judged while it comes (docs/streams.md):\n"
     "  {\"thread\":1,\"call\":\"enq\",\"arg\":7,\"t\":3}\n"
     "  {\"thread\":1,\"return\":true,\"t\":9}\n"
     "Binary files of a recorder and Jepsen's EDN and logs are read as well; see docs/formats.md.\n"},
    {"output", "One line per input on standard output: 'FILE: holds', 'FILE: violated' followed by a "
               "counterexample, or 'FILE: inconclusive (why)'. An input that cannot be read has no verdict, "
               "only a message on stderr.\n"},
    {"exit status",
     "0 every input holds; 1 one is violated; 2 wrong usage or bad input; 3 a limit was met, or interrupted; "
     "4 a specification of your own does not build, crashes or does not return; 70 an internal "
     "error. With several inputs, the first of 70, 1, 4, 2, 3, 0 that occurs.\n"},
    {"examples", "  plumb monitor queue.jsonl\n"
                 "  plumb monitor --spec register --init null --json out.json a.jsonl b.jsonl\n"
                 "  plumb monitor --quasi deq=2 relaxed.jsonl\n"},
};

const struct option_command cli_monitor_text = {
    .name = "monitor",
    .summary = "Decide whether recorded histories are linearizable.",
    .operands = "HISTORY...",
    .operands_least = 1,
    .operands_most = SIZE_MAX,
    COMMAND_TABLES(monitor_options_table, monitor_sections),
};

struct monitor_run {
    struct monitor_options options;
    struct operand_list inputs;
    double start;
    struct report_style style;
    const struct plumb_spec *spec; /* null: inferred */
    struct monitor_json document;
    struct report_files files;
    bool print; /* results as text on stdout */
    enum cli_exit exit;
};

static void print_log(const struct text *log)
{
    for (size_t i = 0; i < log->len;) {
        size_t length = strcspn(log->data + i, "\n");
        fprintf(stderr, "  %.*s\n", (int)length, log->data + i);
        i += length + 1;
    }
}

/* An operation under another name. */
static void print_alias(const char *name, const struct plumb_spec *spec)
{
    uint32_t meant = spec_operation_meant(spec, name);
    if (meant != UINT32_MAX && strcmp(spec->operations[meant].name, name) != 0)
        fprintf(stderr, "  %s is taken for %s of %s\n", name, spec->operations[meant].name, spec->name);
}

static void print_specs(const struct pipeline_input *in)
{
    for (size_t i = 0; i < in->history->object_names.len; i++) {
        struct text name = {0};
        value_print_short(&name, in->history->values, in->history->object_names.data[i]);
        bool unnamed = in->history->object_names.data[i] == PLUMB_NONE;
        fprintf(stderr, "  %s%s: specification %s%s\n", unnamed ? "" : "object ",
                unnamed ? "history" : name.data, in->specs[i]->name, in->inferred ? " (inferred)" : "");
        text_free(&name);
    }
    for (size_t i = 0; i < in->history->op_names.len && !in->inferred; i++) /* named: one for all objects */
        print_alias(in->history->op_names.data[i], in->specs[0]);
}

static void print_stamps(const struct history *h)
{
    size_t length;
    if (plumb_tag_of(h->stamps) != PLUMB_TAG_STRING)
        return;
    const char *words = plumb_string_of(h->values, h->stamps, &length);
    struct text line = {0};
    terminal_add_safe(&line, words);
    fprintf(stderr, "  stamps: %s\n", line.data);
    text_free(&line);
}

static void print_details(const struct pipeline_input *in)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    output_flush();
    fprintf(stderr, "  %" PRIu64 " operation%s, %" PRIu32 " object%s\n", in->result.operations,
            in->result.operations == 1 ? "" : "s", in->result.objects, in->result.objects == 1 ? "" : "s");
    print_specs(in);
    print_stamps(in->history);
    print_log(&in->result.log);
    fprintf(stderr, "  %.3f s reading, %.3f s deciding, %.3f s certifying; peak memory %.1f MiB\n",
            in->seconds_reading, in->result.seconds_deciding, in->result.seconds_certifying,
            (double)usage.ru_maxrss / 1024);
}

static void print_verdict(const struct monitor_run *run, const struct pipeline_input *in)
{
    struct text line = {0};
    terminal_add_safe(&line, in->name);
    text_printf(&line, ": %s", verdict_name(pipeline_verdict(in)));
    if (in->sought && in->result.verdict == VERDICT_HOLDS)
        text_printf(&line, " with %s=%" PRIu32, run->options.question.quasi_min, in->least);
    if (in->result.limit)
        text_printf(&line, " (%s)", in->result.limit);
    text_puts(&line, "\n");
    output_text(stdout, &line);
    text_free(&line);
}

static void print_report(const struct monitor_run *run, const struct report_counterexample *c)
{
    struct text report = {0};
    report_terminal(&report, c, &run->style);
    output_text(stdout, &report);
    text_free(&report);
}

static void add_facts(const struct pipeline_input *in, const struct report_counterexample *c,
                      struct text *spec, struct text *size)
{
    if (c)
        text_printf(spec, "%s%s", c->spec, c->spec_inferred ? " (inferred)" : "");
    prose_number(size, in->result.operations);
    text_printf(size, " operation%s, %zu thread%s", in->result.operations == 1 ? "" : "s",
                in->history->thread_names.len, in->history->thread_names.len == 1 ? "" : "s");
}

/* The case of this input in the documents of --html and so on; `e` is null unless it is violated. */
static void document_input(struct monitor_run *run, const struct pipeline_input *in, struct explanation *e,
                           double seconds)
{
    const struct report_counterexample *c = e ? &e->counterexample : NULL;
    struct text text = {0}, spec = {0}, size = {0}, error = {0};
    const char *facts[2];
    struct report_case one = {.name = in->name,
                              .verdict = pipeline_verdict(in),
                              .message = in->error.code ? report_files_message(&error, &in->error)
                                                        : in->result.limit,
                              .seconds = seconds,
                              .facts = facts,
                              .found = &c,
                              .found_count = c != NULL};
    struct explanation holds = {0};
    if (e && run->options.files.of[REPORT_HTML])
        explain_history(e, in, true);
    if (!in->error.code && !in->is_stream && in->result.verdict == VERDICT_HOLDS &&
        run->options.files.of[REPORT_HTML]) {
        explain_witnesses(&holds, in);
        one.picture = &holds.counterexample;
    }
    if (c) {
        struct report_style style = {.columns = 100, .unicode = true};
        report_terminal(&text, c, &style);
        one.text = text.data;
    }
    if (!in->error.code)
        add_facts(in, c, &spec, &size);
    if (spec.len)
        facts[one.fact_count++] = spec.data;
    if (size.len)
        facts[one.fact_count++] = size.data;
    report_documents_add(&run->files.documents, &one);
    explain_free(&holds);
    text_free(&text);
    text_free(&spec);
    text_free(&size);
    text_free(&error);
}

/* --quiet --explain: nothing of the report but the moment. */
static void print_moment(const struct report_counterexample *c)
{
    struct text out = {0}, last = {0}, first = {0};
    report_moment_lines(c, &last, &first);
    text_printf(&out, "  %s\n", last.data);
    if (first.len)
        text_printf(&out, "  %s\n", first.data);
    output_text(stdout, &out);
    text_free(&out);
    text_free(&last);
    text_free(&first);
}

static enum cli_exit exit_of(const struct pipeline_input *in)
{
    return in->error.code ? cli_exit_of_error(&in->error) : cli_exit_of(in->result.verdict);
}

static void explain(const struct monitor_run *run, struct explanation *e, const struct pipeline_input *in)
{
    explain_violation(e, in, NULL);
    e->counterexample.replay = monitor_replay(in, &run->options, &e->arena);
    if (run->options.question.moment)
        explain_moment(e, in);
}

/* Of this process, which has one thread: waiting for others does not count. */
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void judge_input(struct monitor_run *run, size_t number)
{
    const char *path = run->inputs.data[number];
    struct pipeline_input in;
    double start = base_now();
    guard_begin(strcmp(path, "-") ? path : "<stdin>", run->options.question.time,
                run->inputs.len - number - 1, run->exit);
    time_limit_begin(run->options.question.time, strcmp(path, "-") ? path : "<stdin>");
    if (run->inputs.len > 1)
        time_limit_note(run->exit, "%zu of %zu inputs were decided", number, run->inputs.len);
    double processor = processor_seconds();
    pipeline_judge_file(&in, path, run->spec, &run->options.question);
    run->document.processor = processor_seconds() - processor;
    run->exit = cli_worse_exit(run->exit, exit_of(&in));
    bool decided = !in.error.code, violated = decided && in.result.violation;
    struct explanation explanation;
    if (violated) {
        time_limit_note(run->exit, "the history is not linearizable, and there was no time to say why");
        explain(run, &explanation, &in);
    }
    if (!run->options.quiet)
        format_option_print_notes(in.name, in.reading.notes);
    if (!decided)
        output_diagnostic(in.name, &in.error);
    else if (run->print)
        print_verdict(run, &in);
    if (violated && run->print && !run->options.quiet)
        print_report(run, &explanation.counterexample);
    if (violated && run->print && run->options.quiet && run->options.question.moment)
        print_moment(&explanation.counterexample);
    if (decided && run->options.verbose)
        print_details(&in);
    if (run->options.json)
        monitor_json_add(&run->document, &in, violated ? &explanation.counterexample : NULL);
    if (report_paths_wanted(&run->options.files))
        document_input(run, &in, violated ? &explanation : NULL, base_now() - start);
    if (violated)
        explain_free(&explanation);
    pipeline_free(&in);
    output_flush();
    time_limit_end();
}

/* --- streams --------------------------------------------------------------------------------------------------- */

static double memory_mib(void)
{
    unsigned long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file) {
        if (fscanf(file, "%lu %lu", &pages, &resident) != 2)
            resident = 0;
        fclose(file);
    }
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

static void stream_beats(void *context, const struct pipeline_progress *p)
{
    (void)context;
    fprintf(stderr, "%s: %.0f s, %" PRIu64 " events, %.0f/s, %" PRIu32 " open, %zu undecided, %.1f MiB\n",
            p->name, p->seconds, p->events, p->events_per_second, p->open, p->undecided, memory_mib());
}

static void listen(struct monitor_options *o)
{
    struct pipeline_listener *l = &o->question.listener;
    l->beats = o->quiet ? NULL : stream_beats;
    l->stop = interruption_flag();
}

/* --- the run ----------------------------------------------------------------------------------------------------- */

static bool check_inputs(const struct operand_list *inputs)
{
    size_t streams = 0;
    for (size_t i = 0; i < inputs->len; i++)
        streams += !strcmp(inputs->data[i], "-");
    if (streams > 1)
        output_error(PL_USAGE, "standard input ('-') can be read only once");
    return streams <= 1;
}

static bool check_spec(struct monitor_run *run)
{
    const struct monitor_options *o = &run->options;
    struct diagnostic d = {0};
    if (o->spec)
        run->spec = spec_choice_find(o->spec, &d);
    if (!d.code)
        pipeline_question_check(&o->question, run->spec, &d);
    if (d.code)
        output_diagnostic(NULL, &d);
    return !d.code;
}

static bool prepare_run(struct monitor_run *run, const struct operand_list *inputs)
{
    struct monitor_options *o = &run->options;
    if (!check_inputs(inputs) || !check_spec(run) ||
        !format_option_read(o->format, o->jepsen, &o->question.format))
        return false;
    o->question.format.counter = run->spec && run->spec->kind == PLUMB_KIND_COUNTER;
    if ((o->json && !output_check(o->json)) || !report_files_begin(&run->files, &o->files))
        return false;
    o->question.keep_witnesses = o->files.of[REPORT_HTML];
    o->helpers = monitor_processes((uint32_t)o->jobs);
    o->question.helpers = o->jobs > 1 ? &o->helpers : NULL;
    run->print = !o->json || strcmp(o->json, "-");
    run->document.is_timed = o->verbose;
    if (!o->question.memory_limit)
        o->question.memory_limit = base_memory_there_is() / 2;
    run->style = output_style(o->color);
    listen(o);
    return true;
}

/* The file is opened only now: a run that is interrupted leaves it as it was. */
static void finish_json(struct monitor_run *run, double seconds)
{
    struct text out = {0};
    monitor_json_write(&run->document, run->exit, seconds, &out);
    if (!json_document_save(&out, run->options.json))
        run->exit = cli_worse_exit(run->exit, EXIT_USAGE);
}

static void report_interruption(struct monitor_run *run, size_t judged)
{
    fprintf(stderr, "plumb: interrupted after %zu of %zu inputs\n", judged, run->inputs.len);
    run->exit = cli_worse_exit(run->exit, EXIT_INCONCLUSIVE);
}

static enum cli_exit judge_inputs(void *context)
{
    struct monitor_run *run = context;
    if (!prepare_run(run, &run->inputs))
        return EXIT_USAGE;
    size_t judged = 0;
    interruption_begin();
    while (judged < run->inputs.len && !interruption_came())
        judge_input(run, judged++);
    if (judged < run->inputs.len)
        report_interruption(run, judged);
    if (run->options.json)
        finish_json(run, base_now() - run->start);
    if (!report_files_finish(&run->files, "monitor", cli_verdict_of(run->exit)))
        run->exit = cli_worse_exit(run->exit, EXIT_USAGE);
    return run->exit;
}

enum cli_exit cli_monitor(int count, char *const *words)
{
    struct monitor_run run = {.exit = EXIT_HOLDS, .start = base_now(), .options.question.listener.every = 5};
    enum cli_exit exit;
    if (!cli_parse(&cli_monitor_text, count, words, &run.options, &run.inputs, &exit))
        return exit;
    exit = spec_guard_run(&(struct spec_guarded){
        .spec = run.options.spec, .time = run.options.question.time, .run = judge_inputs, .context = &run});
    vec_free(&run.inputs);
    return exit;
}
