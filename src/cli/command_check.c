/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb check`: runs a program, or a test of a harness, under many schedules. */
#include "base/budget.h"
#include "base/json_writer.h"
#include "base/terminal.h"
#include "base/vec.h"
#include "cli/check_confirm.h"
#include "cli/check_events.h"
#include "cli/check_litmus.h"
#include "cli/check_progress.h"
#include "cli/check_report.h"
#include "cli/check_run.h"
#include "cli/check_sc.h"
#include "cli/output.h"
#include "cli/shell_word.h"
#include "target/assembly.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FIELD(name) offsetof(struct check_options, name)

static const struct option_entry check_options_table[] = {
    {"mode", 0, OPTION_CHOICE, "all|random|pct|dfs", FIELD(mode), 0, 0,
     "Which executions: all that the memory model allows, each once (the default for programs), or those of "
     "schedules chosen at random (the default for tests), by random priorities, or one after the other."},
    {"runs", 0, OPTION_NUMBER, "N", FIELD(runs), 1, UINT64_MAX / 2, "Executions of random and pct (10000)."},
    {"seed", 0, OPTION_NUMBER, "S", FIELD(seed), 0, UINT64_MAX,
     "Seed of all random choices (1); the same options give the same executions."},
    {"test", 0, OPTION_TEXT, "M", FIELD(test), 0, 0,
     "A test of the harness in FILES: operations of each thread, divided by '|'."},
    {"spec", 0, OPTION_TEXT, "NAME", FIELD(spec), 0, 0, "The specification, instead of the harness' own."},
    {"preemptions", 0, OPTION_NUMBER, "N", FIELD(preemptions), 0, UINT32_MAX,
     "dfs: at most N switches away from a thread that could go on (no limit)."},
    {"depth", 0, OPTION_NUMBER, "D", FIELD(depth), 1, 100,
     "pct: how many ordering constraints a bug needs (3)."},
    {"steps", 0, OPTION_NUMBER, "N", FIELD(steps), 1, 100000000,
     "Cut an execution after N steps; the answer is inconclusive then (100000)."},
    {"memory", 0, OPTION_CHOICE, CHECK_MEMORY_MODELS, FIELD(memory), 0, 0,
     "all: the memory model (rc11). The other modes run threads sequentially consistent."},
    {"executions", 0, OPTION_NUMBER, "N", FIELD(executions), 1, UINT64_MAX / 2,
     "all: stop after N executions; the answer is inconclusive then (no limit)."},
    {"loops", 0, OPTION_NUMBER, "N", FIELD(loops), 1, UINT32_MAX,
     "all: a thread that has taken N steps at one place of the program goes no further; the answer is "
     "inconclusive then (no limit)."},
    {"leaks", 0, OPTION_FLAG, NULL, FIELD(leaks), 0, 0, "Memory that is never freed is an error."},
    {"spurious", 0, OPTION_FLAG, NULL, FIELD(spurious), 0, 0,
     "Waits on condition variables and futexes may return without a wake-up, not twice in a row at one "
     "place."},
    {"weak-cas", 0, OPTION_FLAG, NULL, FIELD(weak_cas), 0, 0,
     "A weak compare-and-exchange may fail although it finds what it expects, not twice in a row at one "
     "place. "
     "Needs gcc: clang makes weak ones strong."},
    {"reuse", 0, OPTION_FLAG, NULL, FIELD(reuse), 0, 0,
     "malloc may return any block of that size that was freed before."},
    {"jobs", 0, OPTION_NUMBER, "N", FIELD(jobs), 1, 64,
     "Worker processes for all, random and pct (1). The verdict does not depend on it; with all, which of "
     "several "
     "errors is told does."},
    {"checkpoint", 0, OPTION_TEXT, "F", FIELD(checkpoint), 0, 0,
     "all: save the state of the exploration in F every few seconds, and go on from there if F exists. "
     "Removed when "
     "there is nothing left to do."},
    {"compute", 0, OPTION_SECONDS, "S", FIELD(compute), 0, 0,
     "Give up when a thread takes S seconds of processor time without a visible step (2), unless it is an "
     "endless loop for certain: that is an error."},
    {"time", 0, OPTION_SECONDS, "S", FIELD(time), 0, 0, "Stop after S seconds (no limit)."},
    {"memory-limit", 0, OPTION_BYTES, "N[K|M|G]", FIELD(memory_limit), 0, 0,
     "Give up on a history when the search for its order keeps more bytes than this (256M)."},
    {"trace", 0, OPTION_TEXT, "FILE", FIELD(trace), 0, 0,
     "Where a failing execution is saved for 'plumb replay' (the first file's name with .plr)."},
    {"json", 0, OPTION_TEXT, "F", FIELD(json), 0, 0,
     "Write the result as JSON to F. '-' is standard output, where nothing else is printed then."},
    {"color", 0, OPTION_CHOICE, "auto|always|never", FIELD(color), 0, 0, "Colour in reports."},
    {"quiet", 'q', OPTION_FLAG, NULL, FIELD(quiet), 0, 0, "Print the line with the verdict only."},
    {"verbose", 'v', OPTION_FLAG, NULL, FIELD(verbose), 0, 0,
     "Tell how much was run, and what the program printed."},
};

static const struct option_section check_sections[] = {
    {"description",
     "Compiles FILES (C or C++; flags for the compiler behind '--') and runs the program with every thread "
     "under "
     "control: atomics, locks, condition variables, semaphores and so on are the points at which another "
     "thread may "
     "go first. Data races, memory errors, deadlocks, failed assertions and crashes are errors. Threads run "
     "sequentially consistent; races are judged by the memory orders as written. An error is told after the "
     "recorded execution, run again in a new process, came to the same end.\n\n"
     "With --test the operations of a harness (plumb.h) are run instead of main, and every history is judged "
     "against the specification.\n\n"
     "Files that end in .litmus are tests in the C format of herd7: every execution of the memory model is "
     "explored, and the answer has the form of herd7's.\n"},
    {"output", "One line: 'holds' when every schedule was run (dfs), 'survived' when sampled ones found "
               "nothing, 'violated' "
               "followed by the error and its interleaving, or 'inconclusive (why)'. A litmus test "
               "whose condition is 'exists' holds whatever the answer; '~exists' and 'forall' are claims.\n"},
    {"exit status",
     "0 holds or survived; 1 violated; 2 wrong usage; 3 inconclusive; 4 the program does not build or "
     "cannot be run; 70 a bug in plumb.\n"},
    {"examples", "  plumb check queue.c --runs 100000 -- -DSMALL\n"
                 "  plumb check harness.c --test 'push(1) pop | push(2) pop' --mode dfs\n"
                 "  plumb check SB.litmus --memory tso\n"},
};

const struct option_command cli_check_text = {
    .name = "check",
    .summary = "Run a program under many schedules.",
    .operands = "FILE... [-- CFLAGS...]",
    .operands_least = 1,
    .operands_most = SIZE_MAX,
    .options = check_options_table,
    .option_count = sizeof check_options_table / sizeof *check_options_table,
    .sections = check_sections,
    .section_count = sizeof check_sections / sizeof *check_sections,
};

struct check {
    struct check_options options;
    struct report_style style;
    struct operand_list files;
    struct target_source source;
    struct target_program *program;
    struct target_worker *workers[64];
    struct check_result result;
    struct confirmation confirmation; /* of result.found */
    struct check_sc sc;
    const char *verdict;
    VEC(char *) limits;  /* why it is inconclusive, and what was not tried */
    struct text failure; /* why there is no verdict */
    char *trace;         /* file that was written, or null */
};

/* ------------------------------------------------------------------ verdict */

/* What was met and not, or not wholly, looked at; first what makes the answer inconclusive. */
static const struct {
    uint32_t bit;
    const char *text;
} limit_texts[] = {
    {LIMIT_STEPS, "executions were cut at the step limit"},
    {LIMIT_PREEMPTIONS, "schedules with more preemptions were left out"},
    {LIMIT_EXECUTIONS, "executions beyond the number asked for were left out"},
    {LIMIT_NONDETERMINISM, "nondeterministic program: it did something else when an execution was repeated"},
    {LIMIT_ASM, "not run: inline assembly has atomic instructions, whose steps cannot be seen, or "
                "objdump could not look for them"},
    {LIMIT_THREADS, "more threads than can be tracked"},
    {LIMIT_MIXED_SIZE, "atomics of different sizes overlap"},
    {LIMIT_SPURIOUS, "spurious wake-ups not tried (--spurious)"},
    {LIMIT_WEAK_CAS, "failures of weak CAS not tried (--weak-cas)"},
    {LIMIT_WEAK_LOST, "failures of weak CAS not tried: the compiler makes weak ones strong"},
    {LIMIT_IN_A_ROW, "spurious wake-ups and failures not tried twice in a row at one place"},
    {LIMIT_REUSE, "reuse of freed memory not tried (--reuse)"},
};

static void add_limit(struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_limit(struct check *c, const char *format, ...)
{
    struct text t = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&t, format, args);
    va_end(args);
    vec_push(&c->limits, text_take(&t));
}

static void add_limits_of(struct check *c, uint32_t bits)
{
    for (size_t k = 0; k < sizeof limit_texts / sizeof *limit_texts; k++)
        if (bits & limit_texts[k].bit)
            add_limit(c, "%s", limit_texts[k].text);
}

static void add_unsupported(struct check *c)
{
    const struct worker_shared *s = c->result.unsupported;
    struct text t = {0};
    char *place = check_report_code_place(s, s->unsupported_pc);
    text_puts(&t, "not supported: ");
    terminal_add_safe(&t, s->unsupported);
    if (place)
        text_printf(&t, " (%s)", place);
    vec_push(&c->limits, text_take(&t));
    free(place);
}

static void add_cut_loop(struct check *c)
{
    /* unless that was in a run that this one went on from */
    const struct worker_shared *s = c->result.bounded;
    char *place = s ? check_report_code_place(s, s->loop_pc) : NULL;
    add_limit(c, "executions were cut after %" PRIu64 " step%s at one place%s%s%s", c->options.loops,
              c->options.loops == 1 ? "" : "s", place ? " (" : "", place ? place : "", place ? ")" : "");
    free(place);
}

/* What makes the answer inconclusive. */
static void add_limits(struct check *c)
{
    const struct check_result *r = &c->result;
    if (r->found)
        vec_push(&c->limits, check_confirm_limit(target_shared(r->found), &c->confirmation));
    add_limits_of(c, r->limits & ~(uint32_t)LIMITS_NAMED_ONLY);
    if (r->limits & LIMIT_UNDECIDED)
        add_limit(c, "the monitor gave up on %" PRIu64 " histor%s", r->undecided,
                  r->undecided == 1 ? "y" : "ies");
    if (r->limits & LIMIT_LOOPS)
        add_cut_loop(c);
    if (r->unsupported)
        add_unsupported(c);
    else if (*r->unsupported_before)
        add_limit(c, "not supported: %s", r->unsupported_before);
    if (r->judging_was_stuck)
        add_limit(c, "plumb itself took too long over the verdict on one execution");
    if (r->timed_out)
        add_limit(c, "time limit met");
}

static bool is_exhaustive(const struct check *c)
{
    return c->options.mode == WORKER_DFS || c->options.mode == WORKER_GRAPH;
}

static enum cli_exit fail(struct check *c, const char *message, enum cli_exit exit)
{
    text_puts(&c->failure, message);
    c->verdict = "error";
    return exit;
}

/* What a worker said at its end, with the place when it gave up on a computation. */
static char *describe_failure(const struct check *c)
{
    const struct worker_shared *s = target_shared(c->workers[c->result.failed_worker]);
    struct text t = {0};
    text_puts(&t, c->result.failed->message);
    if (s->state == WORKER_GAVE_UP) {
        char *place = check_report_place(s);
        if (place)
            text_printf(&t, " (%s)", place);
        text_puts(&t, ": an endless loop, or a long computation (--compute)");
        free(place);
    }
    return text_take(&t);
}

/* A worker did not come to its end. Stuck, lost or unseen ones leave executions out. */
static enum cli_exit conclude_failed(struct check *c, const struct target_end *end)
{
    if (end->outcome == TARGET_BROKEN)
        return fail(c, end->message, EXIT_BUG);
    if (end->outcome == TARGET_UNFIT)
        return fail(c, end->message, c->options.test ? EXIT_USAGE : EXIT_CANNOT_RUN);
    char *why = describe_failure(c);
    if (c->options.jobs > 1)
        add_limit(c, "worker %" PRIu64 " of %" PRIu64 ": %s; its part of the work is not done",
                  c->result.failed_worker + 1, c->options.jobs, why);
    else
        add_limit(c, "%s", why);
    free(why);
    c->verdict = "inconclusive";
    return EXIT_INCONCLUSIVE;
}

static enum cli_exit conclude(struct check *c)
{
    const struct check_result *r = &c->result;
    if (r->found && c->confirmation.answer == CONFIRM_SAME) {
        add_limits_of(c, r->limits & LIMITS_NAMED_ONLY);
        c->verdict = "violated";
        return EXIT_VIOLATED;
    }
    if (r->found && c->confirmation.answer == CONFIRM_BROKEN) {
        char *why = check_confirm_limit(target_shared(r->found), &c->confirmation);
        enum cli_exit exit = fail(c, why, EXIT_BUG);
        free(why);
        return exit;
    }
    if (r->failed)
        return conclude_failed(c, r->failed);
    add_limits(c);
    bool all = !c->limits.len;
    add_limits_of(c, r->limits & LIMITS_NAMED_ONLY);
    c->verdict = !all ? "inconclusive" : is_exhaustive(c) ? "holds" : "survived";
    return all ? EXIT_HOLDS : EXIT_INCONCLUSIVE;
}

/* ------------------------------------------------------------------ text */

static bool is_violated(const struct check *c)
{
    return c->result.found && c->confirmation.answer == CONFIRM_SAME;
}

/* Its number, from 1; of shared explorations: by the time when it was found. */
static uint64_t guilty_execution(const struct check *c)
{
    const struct worker_shared *s = target_shared(c->result.found);
    return c->options.mode == WORKER_GRAPH ? c->result.executions + 1 : s->config.first + s->executions + 1;
}

static void save_trace(struct check *c)
{
    struct trace_file trace;
    struct diagnostic why = {0};
    struct text name = {0};
    if (c->options.trace) {
        text_puts(&name, c->options.trace);
    } else {
        const char *base = strrchr(c->files.data[0], '/');
        base = base ? base + 1 : c->files.data[0];
        text_printf(&name, "%.*s.plr", (int)strcspn(base, "."), base);
    }
    if (!trace_file_record(&trace, &c->source, c->program,
                           c->confirmation.told ? c->confirmation.again : c->result.found, &why)) {
        output_diagnostic(NULL, &why);
        text_free(&name);
        return;
    }
    if (trace_file_save(&trace, name.data, &why))
        c->trace = text_take(&name);
    else
        output_diagnostic(name.data, &why);
    trace_file_free(&trace);
    text_free(&name);
}

static void print_error(struct check *c)
{
    struct text t = {0};
    check_report_error(&t, c->files.data[0], target_shared(c->confirmation.again), &c->style);
    text_puts(&t, "\n");
    if (c->sc.answer) {
        text_puts(&t, "  ");
        check_sc_add_text(&c->sc, &t);
        text_puts(&t, "\n");
    }
    text_printf(&t, "  found in execution %" PRIu64 " of %s\n", guilty_execution(c),
                c->options.mode == WORKER_GRAPH ? "the exploration"
                : c->options.mode == WORKER_DFS ? "the depth-first search"
                                                : "the sample");
    if (c->trace) {
        text_puts(&t, "  replay: plumb replay");
        shell_add_file(&t, c->trace);
        text_puts(&t, "\n");
    }
    output_text(stdout, &t);
    text_free(&t);
}

static void print_counts(const struct check *c)
{
    const struct check_result *r = &c->result;
    output_flush();
    fprintf(stderr,
            "  %" PRIu64 " executions: %" PRIu64 " complete, %" PRIu64 " blocked, %" PRIu64 " cut; %" PRIu64
            " steps",
            r->executions, r->complete, r->blocked, r->cut, r->steps);
    if (c->options.mode == WORKER_GRAPH)
        fprintf(stderr, ", %" PRIu64 " revisits", r->revisits);
    fputs("\n", stderr);
    check_progress_print_estimate(r);
}

/* " (all 8 executions; ...)" */
static void add_reasons(struct text *line, const struct check *c)
{
    struct text t = {0};
    const char *plural = c->result.executions == 1 ? "" : "s";
    if (c->failure.len)
        text_puts(&t, c->failure.data);
    else if (strcmp(c->verdict, "survived") == 0)
        text_printf(&t, "%" PRIu64 " sampled execution%s found nothing", c->result.executions, plural);
    else if (strcmp(c->verdict, "holds") == 0)
        text_printf(&t, "all %" PRIu64 " execution%s", c->result.executions, plural);
    for (size_t k = 0; k < c->limits.len; k++)
        text_printf(&t, "%s%s", t.len ? "; " : "", c->limits.data[k]);
    if (t.len)
        text_printf(line, " (%s)", t.data);
    text_free(&t);
}

static void print_result(struct check *c)
{
    struct text line = {0};
    terminal_add_safe(&line, c->files.data[0]);
    text_printf(&line, ": %s", c->verdict);
    if (!is_violated(c))
        add_reasons(&line, c);
    text_puts(&line, "\n");
    output_text(c->failure.len ? stderr : stdout, &line);
    text_free(&line);
    if (is_violated(c) && !c->options.quiet)
        print_error(c);
    if (c->options.verbose)
        print_counts(c);
}

/* ------------------------------------------------------------------ JSON */

static void add_error_json(struct json_writer *w, const struct check *c)
{
    const struct worker_shared *s = target_shared(c->result.found);
    char *place = check_report_place(target_shared(c->confirmation.again));
    json_member(w, "error", check_error_word(s->error.kind));
    json_key(w, "counterexample"), json_open_object(w);
    json_member(w, "kind", check_error_word(s->error.kind));
    json_member(w, "why", s->error.message);
    json_member(w, "phase", check_phase_word(s->error.phase));
    if (place)
        json_member(w, "place", place);
    json_key(w, "execution"), json_uint(w, guilty_execution(c));
    const struct worker_shared *shown = target_shared(c->confirmation.again),
                               *told = c->confirmation.told ? shown : s;
    json_key(w, "steps"), json_uint(w, (uint64_t)told->event_count + told->events_lost);
    json_member(w, "confirmed_by",
                s->history_length ? "replay in a new process, monitor" : "replay in a new process");
    if (c->options.mode == WORKER_GRAPH)
        json_member(w, "memory", check_memory_name(&c->options));
    if (check_sc_word(&c->sc))
        json_member(w, "under_sc", check_sc_word(&c->sc));
    if (c->trace)
        json_member(w, "trace", c->trace);
    check_events_json(w, shown);
    json_close_object(w);
    free(place);
}

static bool write_json(const struct check *c, double seconds)
{
    FILE *file = output_open(c->options.json);
    if (!file)
        return false;
    struct text t = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    json_open_object(w);
    json_key(w, "schema"), json_uint(w, 1);
    json_member(w, "tool", "plumb 0.1");
    json_member(w, "command", "check");
    json_member(w, "verdict", c->verdict);
    json_key(w, "limits"), json_open_array(w);
    for (size_t k = 0; k < c->limits.len; k++)
        json_string(w, c->limits.data[k]);
    json_close_array(w);
    if (c->failure.len)
        json_member(w, "message", c->failure.data);
    json_key(w, "executions"), json_uint(w, c->result.executions);
    json_key(w, "blocked"), json_uint(w, c->result.blocked);
    if (c->options.mode == WORKER_GRAPH)
        json_key(w, "revisits"), json_uint(w, c->result.revisits);
    if (is_violated(c))
        add_error_json(w, c);
    json_key(w, "stats"), json_open_object(w);
    json_key(w, "seconds");
    text_printf(&t, "%.3f", seconds);
    writer.comma = true;
    json_key(w, "peak_kib"), json_uint(w, (uint64_t)usage.ru_maxrss);
    if (c->result.estimate > 0)
        check_progress_add_json(w, &c->result);
    json_close_object(w);
    json_close_object(w);
    text_puts(&t, "\n");
    output_text(file, &t);
    text_free(&t);
    return output_close(file, c->options.json);
}

/* ------------------------------------------------------------------ all together */

static int find_separator(int count, char *const *words)
{
    for (int k = 0; k < count; k++)
        if (strcmp(words[k], "--") == 0)
            return k;
    return count;
}

/* The best order of what is told, and whether the memory model is to blame. */
static void tell_graph(struct check *c, double start)
{
    check_confirm_tell(c->program, &c->confirmation);
    bool asked = strcmp(check_memory_name(&c->options), "sc") != 0 && (!c->options.quiet || c->options.json);
    if (asked)
        check_sc_ask(c->program, &c->options, target_shared(c->confirmation.again),
                     c->options.time - (base_now() - start), &c->sc);
}

/* Runs it, if that can be done, and confirms what was found. Not EXIT_HOLDS: after a diagnostic. */
static enum cli_exit run_program(struct check *c, double start)
{
    if (assembly_has_atomics(c->program->path)) {
        /* Its steps would be invisible: whatever came out, it would not be the program's doing. */
        c->result.limits |= LIMIT_ASM;
        return EXIT_HOLDS;
    }
    enum cli_exit exit = check_run(c->program, &c->options, c->workers, &c->result);
    if (c->result.found)
        check_confirm(c->program, c->result.found, &c->confirmation);
    if (is_violated(c) && c->options.mode == WORKER_GRAPH)
        tell_graph(c, start);
    return exit;
}

static enum cli_exit report(struct check *c, double start)
{
    enum cli_exit exit = conclude(c);
    if (is_violated(c))
        save_trace(c);
    if (!c->options.json || strcmp(c->options.json, "-") != 0)
        print_result(c);
    if (c->options.json && !write_json(c, base_now() - start))
        exit = cli_worse_exit(exit, EXIT_USAGE);
    return exit;
}

static enum cli_exit check_program(struct check *c)
{
    struct diagnostic why = {0};
    double start = base_now();
    if (c->options.mode == WORKER_DFS)
        c->options.jobs = 1;
    c->program = target_build(&c->source, &why);
    if (!c->program) {
        output_diagnostic(NULL, &why);
        return why.code == PL_USAGE || why.code == PL_CANNOT_OPEN ? EXIT_USAGE : EXIT_CANNOT_RUN;
    }
    enum cli_exit exit = run_program(c, start);
    if (exit == EXIT_HOLDS)
        exit = report(c, start);
    for (uint64_t k = 0; k < c->options.jobs; k++)
        target_free(c->workers[k]);
    target_free(c->confirmation.again);
    target_program_free(c->program);
    return exit;
}

static void free_check(struct check *c)
{
    for (size_t k = 0; k < c->limits.len; k++)
        free(c->limits.data[k]);
    vec_free(&c->limits);
    vec_free(&c->files);
    text_free(&c->failure);
    free(c->trace);
}

/* Litmus tests have nothing to compile; they and programs are not mixed. */
static enum cli_exit check_files(struct check *c)
{
    size_t litmus = 0;
    for (size_t k = 0; k < c->files.len; k++)
        litmus += check_litmus_is(c->files.data[k]);
    if (litmus && litmus < c->files.len)
        return output_error(PL_USAGE, "litmus tests and programs cannot be checked together");
    if (litmus && (c->options.test || c->options.spec || c->options.trace || c->source.flag_count))
        return output_error(PL_USAGE, "--test, --spec, --trace and CFLAGS are not for litmus tests");
    if (litmus)
        return check_litmus(&c->files, &c->options);
    if (c->options.mode < 0)
        c->options.mode = c->options.test ? WORKER_RANDOM : WORKER_GRAPH;
    if (c->options.memory > 0 && c->options.mode != WORKER_GRAPH)
        return output_error(PL_USAGE,
                            "--memory is for --mode all: the other modes are sequentially consistent");
    if (c->options.checkpoint && c->options.mode != WORKER_GRAPH)
        return output_error(PL_USAGE, "--checkpoint is for --mode all");
    if (c->options.loops && c->options.mode != WORKER_GRAPH)
        return output_error(PL_USAGE, "--loops is for --mode all: the other modes have --steps");
    if (c->options.preemptions != UINT32_MAX && c->options.mode != WORKER_DFS)
        return output_error(PL_USAGE, "--preemptions is for --mode dfs: the others do not count switches");
    return check_program(c);
}

enum cli_exit cli_check(int count, char *const *words)
{
    int separator = find_separator(count, words);
    struct check c = {.options = {.runs = 10000,
                                  .seed = 1,
                                  .jobs = 1,
                                  .preemptions = UINT32_MAX,
                                  .steps = 100000,
                                  .depth = 3,
                                  .mode = -1,
                                  .memory = -1}};
    enum cli_exit exit;
    if (!cli_parse(&cli_check_text, separator, words, &c.options, &c.files, &exit))
        return exit;
    c.style = (struct report_style){
        .columns = terminal_columns(STDOUT_FILENO),
        .color = terminal_use_color((enum terminal_color)c.options.color, STDOUT_FILENO),
        .unicode = terminal_unicode(),
    };
    c.source = (struct target_source){.files = c.files.data, .file_count = c.files.len};
    if (separator < count) {
        c.source.flags = (const char *const *)words + separator + 1;
        c.source.flag_count = (size_t)(count - separator - 1);
    }
    exit = check_files(&c);
    free_check(&c);
    return exit;
}
