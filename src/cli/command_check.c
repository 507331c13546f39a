/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb check`: runs a program, or a test of a harness, under many schedules. */
#include "base/budget.h"
#include "base/json_writer.h"
#include "base/terminal.h"
#include "base/vec.h"
#include "cli/check_report.h"
#include "cli/check_run.h"
#include "cli/output.h"
#include "target/assembly.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FIELD(name) offsetof(struct check_options, name)

/* What no run explores yet; said with every result. */
#define NOT_TRIED "spurious wake-ups and weak CAS failures not tried"

static const struct option_entry check_options_table[] = {
    {"mode", 0, OPTION_CHOICE, "random|pct|dfs", FIELD(mode), 0, 0,
     "How schedules are chosen: at random, by random priorities, or all of them one after the other "
     "(random)."},
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
    {"leaks", 0, OPTION_FLAG, NULL, FIELD(leaks), 0, 0, "Memory that is never freed is an error."},
    {"jobs", 0, OPTION_NUMBER, "N", FIELD(jobs), 1, 64, "Worker processes for random and pct (1)."},
    {"time", 0, OPTION_SECONDS, "S", FIELD(time), 0, 0, "Stop after S seconds (no limit)."},
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
     "sequentially consistent; races are judged by the memory orders as written.\n\n"
     "With --test the operations of a harness (plumb.h) are run instead of main, and every history is judged "
     "against the specification.\n"},
    {"output", "One line: 'holds' when every schedule was run (dfs), 'survived' when sampled ones found "
               "nothing, 'violated' "
               "followed by the error and its interleaving, or 'inconclusive (why)'.\n"},
    {"exit status",
     "0 holds or survived; 1 violated; 2 wrong usage; 3 inconclusive; 4 the program does not build or "
     "cannot be run; 70 a bug in plumb.\n"},
    {"examples", "  plumb check queue.c --runs 100000 -- -DSMALL\n"
                 "  plumb check harness.c --test 'push(1) pop | push(2) pop' --mode dfs\n"},
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
    const char *verdict;
    struct text limit; /* why it is inconclusive */
    char *trace;       /* file that was written, or null */
};

/* ------------------------------------------------------------------ verdict */

static void add_limits(struct text *t, const struct check *c)
{
    static const struct {
        uint32_t bit;
        const char *text;
    } limits[] = {
        {LIMIT_STEPS, "executions were cut at the step limit"},
        {LIMIT_PREEMPTIONS, "schedules with more preemptions were left out"},
        {LIMIT_NONDETERMINISM, "nondeterministic program: a replay differed"},
        {LIMIT_ASM, "not run: inline assembly has atomic instructions, whose steps cannot be seen, or "
                    "objdump could not look for them"},
        {LIMIT_THREADS, "more threads than can be tracked"},
        {LIMIT_MIXED_SIZE, "atomics of different sizes overlap"},
    };
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        if (c->result.limits & limits[k].bit)
            text_printf(t, "%s%s", t->len ? "; " : "", limits[k].text);
    if (c->result.timed_out)
        text_printf(t, "%stime limit met", t->len ? "; " : "");
}

/* A worker did not come to its end. */
static enum cli_exit conclude_failure(struct check *c, const struct target_end *end)
{
    text_puts(&c->limit, end->message);
    c->verdict = "error";
    if (end->outcome == TARGET_BROKEN)
        return EXIT_BUG;
    if (end->outcome == TARGET_UNFIT)
        return c->options.test ? EXIT_USAGE : EXIT_CANNOT_RUN;
    char *place = end->state == WORKER_GAVE_UP ? check_report_place(target_shared(c->result.failed)) : NULL;
    if (place)
        text_printf(&c->limit, ", at %s", place);
    free(place);
    c->verdict = "inconclusive";
    return EXIT_INCONCLUSIVE;
}

static enum cli_exit conclude(struct check *c)
{
    const struct check_result *r = &c->result;
    if (r->found) {
        c->verdict = "violated";
        return EXIT_VIOLATED;
    }
    if (r->failed)
        return conclude_failure(c, target_end_of(r->failed));
    add_limits(&c->limit, c);
    if (c->limit.len) {
        c->verdict = "inconclusive";
        return EXIT_INCONCLUSIVE;
    }
    c->verdict = c->options.mode == WORKER_DFS ? "holds" : "survived";
    return EXIT_HOLDS;
}

/* ------------------------------------------------------------------ text */

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
    if (!trace_file_record(&trace, &c->source, c->program, c->result.found, &why)) {
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
    const struct worker_shared *s = target_shared(c->result.found);
    struct text t = {0};
    check_report_error(&t, c->files.data[0], s, &c->style);
    text_printf(&t, "\n  found in execution %" PRIu64 " of %s\n",
                (uint64_t)(s->config.first + s->executions + 1),
                c->options.mode == WORKER_DFS ? "the depth-first search" : "the sample");
    if (c->trace)
        text_printf(&t, "  replay: plumb replay %s\n", c->trace);
    output_text(stdout, &t);
    text_free(&t);
}

static void print_counts(const struct check *c)
{
    const struct check_result *r = &c->result;
    output_flush();
    fprintf(stderr,
            "  %" PRIu64 " executions: %" PRIu64 " complete, %" PRIu64 " blocked, %" PRIu64 " cut; %" PRIu64
            " steps\n",
            r->executions, r->complete, r->blocked, r->cut, r->steps);
}

static void print_result(struct check *c)
{
    struct text line = {0};
    terminal_add_safe(&line, c->files.data[0]);
    text_printf(&line, ": %s", c->verdict);
    if (c->limit.len)
        text_printf(&line, " (%s)", c->limit.data);
    else if (strcmp(c->verdict, "survived") == 0)
        text_printf(&line, " (%" PRIu64 " sampled executions found nothing; " NOT_TRIED ")",
                    c->result.executions);
    else if (strcmp(c->verdict, "holds") == 0)
        text_printf(&line, " (all %" PRIu64 " executions; " NOT_TRIED ")", c->result.executions);
    text_puts(&line, "\n");
    output_text(strcmp(c->verdict, "error") == 0 ? stderr : stdout, &line);
    text_free(&line);
    if (c->result.found && !c->options.quiet)
        print_error(c);
    if (c->options.verbose)
        print_counts(c);
}

/* ------------------------------------------------------------------ JSON */

static void add_error_json(struct json_writer *w, const struct check *c)
{
    const struct worker_shared *s = target_shared(c->result.found);
    char *place = check_report_place(s);
    json_member(w, "error", check_error_word(s->error.kind));
    json_key(w, "counterexample"), json_open_object(w);
    json_member(w, "kind", check_error_word(s->error.kind));
    json_member(w, "why", s->error.message);
    if (place)
        json_member(w, "place", place);
    json_key(w, "execution"), json_uint(w, s->config.first + s->executions + 1);
    json_key(w, "steps"), json_uint(w, s->event_count);
    if (c->trace)
        json_member(w, "trace", c->trace);
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
    if (c->limit.len)
        json_string(w, c->limit.data);
    json_string(w, NOT_TRIED);
    json_close_array(w);
    json_key(w, "executions"), json_uint(w, c->result.executions);
    json_key(w, "blocked"), json_uint(w, c->result.blocked);
    if (c->result.found)
        add_error_json(w, c);
    json_key(w, "stats"), json_open_object(w);
    json_key(w, "seconds");
    text_printf(&t, "%.3f", seconds);
    writer.comma = true;
    json_key(w, "peak_kib"), json_uint(w, (uint64_t)usage.ru_maxrss);
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
    enum cli_exit exit = EXIT_CANNOT_RUN;
    if (assembly_has_atomics(c->program->path)) {
        /* Its steps would be invisible: whatever came out, it would not be the program's doing. */
        c->result.limits |= LIMIT_ASM;
        exit = conclude(c);
        if (!c->options.json || strcmp(c->options.json, "-") != 0)
            print_result(c);
        if (c->options.json && !write_json(c, base_now() - start))
            exit = cli_worse_exit(exit, EXIT_USAGE);
    } else if (check_run(c->program, &c->options, c->workers, &c->result)) {
        exit = conclude(c);
        if (c->result.found)
            save_trace(c);
        if (!c->options.json || strcmp(c->options.json, "-") != 0)
            print_result(c);
        if (c->options.json && !write_json(c, base_now() - start))
            exit = cli_worse_exit(exit, EXIT_USAGE);
        for (uint64_t k = 0; k < c->options.jobs; k++)
            target_free(c->workers[k]);
    }
    target_program_free(c->program);
    return exit;
}

enum cli_exit cli_check(int count, char *const *words)
{
    int separator = find_separator(count, words);
    struct check c = {
        .options = {
            .runs = 10000, .seed = 1, .jobs = 1, .preemptions = UINT32_MAX, .steps = 100000, .depth = 3}};
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
    exit = check_program(&c);
    vec_free(&c.files);
    text_free(&c.limit);
    free(c.trace);
    return exit;
}
