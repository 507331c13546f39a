/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check/check_options.h"

#include "cli/common/compdb_option.h"
#include "cli/common/output.h"
#include "cli/common/spec_guard.h"
#include "graph/model.h"

#include <stddef.h>
#include <string.h>

#define FIELD(name) offsetof(struct campaign_options, name)

static const struct option_entry check_options_table[] = {
#define FIELD_OF(name) FIELD(name)
#include "cli/common/exploring_options.inc"
    {"order", 0, OPTION_LIST, "SITE=ORDER", FIELD(orders), 0, 0,
     "The atomic access or fence at SITE (FILE:LINE or FILE:LINE:COLUMN; with /failure behind it, a "
     "comparison when it fails) has "
     "this memory order, not the one that is written. Again for more. docs/orders.md."},
    {"no-repair", 0, OPTION_FLAG, NULL, FIELD(no_repair), 0, 0,
     "Do not look for memory orders that would prevent an error which does not happen under sc, or is one of "
     "synchronization (at most a few seconds)."},
    {"seed", 0, OPTION_NUMBER, "S", FIELD(seed), 0, CAMPAIGN_NO_SEED - 1,
     "random and pct: seed of all choices (1); the same options give the same executions."},
    {"test", 0, OPTION_TEXT, "M", FIELD(test), 0, 0,
     "A test of the harness in FILES: operations of each thread, divided by '|'."},
    {"init", 0, OPTION_TEXT, "OPS", FIELD(init), 0, 0, "Operations before the threads of the test start."},
    {"final", 0, OPTION_TEXT, "OPS", FIELD(final), 0, 0, "Operations after they have ended."},
    {"compare", 0, OPTION_FLAG, NULL, FIELD(compare), 0, 0,
     "Also report what other checkers would say about the executions of the test: which are not conflict "
     "serializable, and how many data races there are (with --all-errors: all of them)."},
    {"report-weak", 0, OPTION_FLAG, NULL, FIELD(report_weak), 0, 0,
     "Also report how many executions of the test are not sequentially consistent, and why one is not."},
    {"golden", 0, OPTION_TEXT, "FILE", FIELD(golden), 0, 0,
     "An implementation of the same operations that is right: what it answers, one operation after the "
     "other, is the specification."},
    {"golden-define", 0, OPTION_TEXT, "K=V", FIELD(golden_define), 0, 0,
     "The same, from FILES themselves, compiled with this macro."},
    {"client", 0, OPTION_CHOICE, "every|fixed", FIELD(client), 0, 0,
     "Judge a test for every client that could order its calls further (the default), or as it stands."},
    {"count-histories", 0, OPTION_FLAG, NULL, FIELD(count_histories), 0, 0,
     "--test, with --memory sc or --mode dfs: count the different histories, and those of them that are not "
     "linearizable."},
    {"observations", 0, OPTION_TEXT, "F", FIELD(observations), 0, 0,
     "Write to F what the test's operations answer one after the other, when that is the specification, and "
     "behind it the history that violates it, if there is one."},
    {"spec", 0, OPTION_TEXT, "NAME|FILE.c", FIELD(spec), 0, 0,
     "The specification, instead of the harness' own; or your own in C, which the harness may name, too "
     "(docs/own_specs.md)."},
    {"quasi", 0, OPTION_TEXT, "Q", FIELD(quasi), 0, 0,
     "--test: quasi linearizability. Operations that take something away may be up to Q places out of order "
     "among each other; or name what may move, as in deq=2,enq=1 (docs/quasi.md)."},
    {"executions", 0, OPTION_NUMBER, "N", FIELD(executions), 1, UINT64_MAX / 2,
     "all and dfs: stop after N executions; the answer is inconclusive then (no limit)."},
    {"all-errors", 0, OPTION_FLAG, NULL, FIELD(all_errors), 0, 0,
     "Go on after an error: the thread goes no further, the other threads and executions do. Errors with one "
     "cause are reported once, with their shortest execution."},
    {"jobs", 0, OPTION_NUMBER, "N", FIELD(jobs), 1, 64,
     "Worker processes for all, random and pct (1). The verdict does not depend on it; with all, which of "
     "several errors is reported does."},
    {"checkpoint", 0, OPTION_TEXT, "F", FIELD(checkpoint), 0, 0,
     "all: save the state of the exploration in F every few seconds, and go on from there if F exists. "
     "Removed when there is nothing left to do."},
    {"shard", 0, OPTION_TEXT, "I/N", FIELD(shard.words), 0, 0,
     "all: only part I of N of the exploration: N machines share the work (docs/clusters.md)."},
    {"result", 0, OPTION_TEXT, "F", FIELD(shard.result), 0, 0,
     "--shard: write what came of the part to F, for 'plumb merge'."},
    {"time", 0, OPTION_SECONDS, "S", FIELD(time), 0, 0,
     "Stop after S seconds, compiling included (no limit)."},
    {"trace", 0, OPTION_TEXT, "FILE", FIELD(trace), 0, 0,
     "Where a failing execution is saved for 'plumb replay' (the first file's name with .plr)."},
    {"property", 0, OPTION_TEXT, "NAME", FIELD(property), 0, 0,
     "Of a task of SV-COMP: only this property, such as no-data-race (all that it has)."},
    {"witness", 0, OPTION_TEXT, "F", FIELD(witness), 0, 0,
     "Of a task of SV-COMP: write the violation witness of the first property that is false to F, as "
     "GraphML."},
    OUT_OPTION(FIELD(out)),
    JSON_OPTION(FIELD(json)),
    REPORT_FILE_OPTIONS(FIELD(files)),
    COLOR_OPTION(FIELD(color)),
    QUIET_OPTION(FIELD(quiet)),
    {"verbose", 'v', OPTION_FLAG, NULL, FIELD(verbose), 0, 0,
     "Print how much was run, what the program printed, and a violating history in the form of "
     "--observations."},
};

static const struct option_section check_sections[] = {
    {"description",
     "Compiles FILES (C or C++; flags for the compiler behind '--') and runs the program, or one that "
     "plumb-cc "
     "made (the words behind '--' are its arguments then), with every thread under control: atomics, locks, "
     "condition variables, semaphores and so on are the points at which "
     "another thread may go first. Data races, memory errors, deadlocks, failed assertions and crashes are "
     "errors. What a read may find is decided by the memory model (--memory); with the modes other than "
     "'all' threads run sequentially consistent, and races are judged by the memory orders as written. An "
     "error is reported only after the recorded execution, run again in a new process, came to the same "
     "end.\n\n"
     "With --test the operations of a harness (plumb.h) are run instead of main, and every history is judged "
     "against the specification. PLUMB_INVARIANT() of a harness is evaluated at the end of each execution, "
     "PLUMB_INVARIANT(between_calls) also whenever no call is open, PLUMB_INVARIANT(every_step) also after "
     "every step (--mode dfs, random, pct).\n\n"
     "Files that end in .litmus are tests in the C format of herd7: every execution of the memory model is "
     "explored, and the answer has the form of herd7's.\n\n"
     "Files that end in .yml are tasks of SV-COMP: each property is answered by true, false or unknown "
     "(docs/svcomp.md).\n"},
    {"output", "One line: 'holds' when every execution (or schedule, by dfs) was run, 'survived' when "
               "sampled ones found nothing, 'violated' followed by the error and its interleaving, or "
               "'inconclusive (why)'. A litmus test whose condition is 'exists' holds whatever the answer; "
               "'~exists' and 'forall' are claims.\n"},
    {"exit status",
     "0 holds or survived; 1 violated; 2 wrong usage; 3 inconclusive, or interrupted; 4 the program does not "
     "build or cannot be run; 70 an internal error.\n"},
    {"examples", "  plumb check queue.c --jobs 2 -- -DSMALL\n"
                 "  plumb check queue.c --mode random --runs 100000\n"
                 "  plumb check harness.c --test 'push(1) pop | push(2) pop' --mode dfs\n"
                 "  plumb check SB.litmus --memory tso\n"},
};

const struct option_command cli_check_text = {
    .name = "check",
    .summary = "Run every execution of a program, or a sample.",
    .operands = "FILE... [-- CFLAGS...] | PROGRAM [-- ARGUMENTS...]",
    .operands_least = 1,
    .operands_most = SIZE_MAX,
    COMMAND_TABLES(check_options_table, check_sections),
};

/* Files that are written at the end, or every now and then: what is wrong with them is not said after hours. */
static bool are_writable(const struct campaign_options *o)
{
    return (!o->json || output_check(o->json)) &&
           (!o->checkpoint || output_check_file("--checkpoint", o->checkpoint)) &&
           (!o->shard.result || output_check_file("--result", o->shard.result)) &&
           (!o->observations || output_check_file("--observations", o->observations)) &&
           report_files_can_write(&o->files);
}

enum cli_exit check_options_fit(struct campaign_options *o)
{
    struct diagnostic why = {0};
    if (campaign_options_fit(o, &why)) {
        campaign_fold_by_default(o);
        return are_writable(o) ? EXIT_HOLDS : EXIT_USAGE;
    }
    output_diagnostic(NULL, &why);
    return EXIT_USAGE;
}

int check_own_words(int count, char *const *words)
{
    int own = 0;
    while (own < count && strcmp(words[own], "--") != 0)
        own++;
    return own;
}

struct target_source check_source(const struct operand_list *files, int count, char *const *words)
{
    int own = check_own_words(count, words);
    struct target_source source = {.files = files->data, .file_count = files->len};
    if (own < count) {
        source.flags = (const char *const *)words + own + 1;
        source.flag_count = (size_t)(count - own - 1);
    }
    return source;
}

enum cli_exit check_run_guarded(const struct campaign_options *o, struct target_source *source,
                                enum cli_exit (*run)(void *context), void *context)
{
    source->no_annotations = o->no_annotations;
    if (!compdb_option_apply(o, source))
        return EXIT_USAGE;
    return spec_guard_run(
        &(struct spec_guarded){.spec = o->spec, .time = o->time, .run = run, .context = context});
}
