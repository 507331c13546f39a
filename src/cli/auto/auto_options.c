/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/auto/auto.h"
#include "cli/check/check_options.h"
#include "cli/common/output.h"
#include "graph/model.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define FIELD(name) offsetof(struct auto_options, name)

static const struct option_entry auto_options_table[] = {
    {"size", 0, OPTION_TEXT, "RxC", FIELD(size), 0, 0,
     "Every test of at most R calls in each of at most C threads, small ones first, and no larger ones. "
     "Without this and "
     "--random: those of 2x2, then larger ones."},
    {"random", 0, OPTION_TEXT, "RxC", FIELD(random), 0, 0,
     "A random sample of the tests of exactly this size instead."},
    {"samples", 0, OPTION_NUMBER, "K", FIELD(samples), 0, UINT32_MAX,
     "How many of them (100); without --random: how many larger tests after the small ones, instead of as "
     "many as there is "
     "time for. 0: none."},
    {"seed", 0, OPTION_NUMBER, "S", FIELD(seed), 0, CAMPAIGN_NO_SEED - 1,
     "Seed of the sample, or of the larger tests (1); the same seed, the same tests."},
    {"calls", 0, OPTION_TEXT, "LIST", FIELD(calls), 0, 0,
     "The calls, or sequences of calls, that tests are made of, divided by ';', instead of the harness' "
     "(PLUMB_TRY)."},
    {"values", 0, OPTION_TEXT, "RANGE", FIELD(campaign.values), 0, 0,
     "The values that elements of containers can have, as in 1.. or 0..99 or -1.., instead of the harness' "
     "(PLUMB_VALUES); "
     "'1.., distinct': none is inside twice."},
    {"init", 0, OPTION_TEXT, "OPS", FIELD(campaign.init), 0, 0,
     "Operations before the threads of each test start."},
    {"final", 0, OPTION_TEXT, "OPS", FIELD(campaign.final), 0, 0, "Operations after they have ended."},
    {"all", 0, OPTION_FLAG, NULL, FIELD(all), 0, 0, "Go on after a test that fails, and count."},
    {"shard", 0, OPTION_TEXT, "I/N", FIELD(shard.words), 0, 0,
     "Only every N-th test, beginning with number I: N machines share the work (docs/clusters.md)."},
    {"result", 0, OPTION_TEXT, "F", FIELD(shard.result), 0, 0,
     "--shard: write what came of these tests to F, for 'plumb merge'."},
    {"spec", 0, OPTION_TEXT, "NAME|FILE.c", FIELD(campaign.spec), 0, 0,
     "The specification, instead of the harness' own; or your own in C, which the harness may name, too "
     "(docs/own_specs.md)."},
    {"quasi", 0, OPTION_TEXT, "Q", FIELD(campaign.quasi), 0, 0,
     "Quasi linearizability, as for 'plumb check'. Tests that do not take away as often as they add are left "
     "out."},
    {"golden", 0, OPTION_TEXT, "FILE", FIELD(campaign.golden), 0, 0,
     "An implementation of the same operations that is right: what it answers, one operation after the "
     "other, is the specification."},
    {"golden-define", 0, OPTION_TEXT, "K=V", FIELD(campaign.golden_define), 0, 0,
     "The same, from FILES themselves, compiled with this macro."},
#define FIELD_OF(name) FIELD(campaign.name)
#include "cli/common/exploring_options.inc"
    {"compare", 0, OPTION_FLAG, NULL, FIELD(campaign.compare), 0, 0, "As for 'plumb check'."},
    {"report-weak", 0, OPTION_FLAG, NULL, FIELD(campaign.report_weak), 0, 0, "As for 'plumb check'."},
    {"executions", 0, OPTION_NUMBER, "N", FIELD(campaign.executions), 1, UINT64_MAX / 2,
     "Stop a test after N executions; the answer is inconclusive then (no limit)."},
    {"jobs", 0, OPTION_NUMBER, "N", FIELD(campaign.jobs), 1, 64, "Tests at a time (as many as processors)."},
    {"time", 0, OPTION_SECONDS, "S", FIELD(campaign.time), 0, 0,
     "Stop after S seconds, compiling included. Without it all small tests are run, whatever time they take, "
     "and larger ones "
     "until 20 seconds "
     "are over."},
    {"test-time", 0, OPTION_SECONDS, "S", FIELD(test_time), 0, 0,
     "Give up on a test after S seconds; the answer is inconclusive then (no limit)."},
    {"table", 0, OPTION_TEXT, "F", FIELD(table), 0, 0,
     "Write a line for each test to F: number, verdict, serial histories (complete, stuck) and seconds, "
     "executions, seconds in all, test; divided by tabs."},
    {"observations", 0, OPTION_TEXT, "F", FIELD(observations), 0, 0,
     "As for 'plumb check', of the smallest failing test."},
    {"reproduce", 0, OPTION_TEXT, "F", FIELD(reproduce), 0, 0,
     "Where a failing test is written as one C file (the first file's name with .repro.c, or .repro.cpp)."},
    {"trace", 0, OPTION_TEXT, "FILE", FIELD(campaign.trace), 0, 0,
     "Where a failing execution is saved for 'plumb replay' (the first file's name with .plr)."},
    OUT_OPTION(FIELD(campaign.out)),
    JSON_OPTION(FIELD(campaign.json)),
    REPORT_FILE_OPTIONS(FIELD(campaign.files)),
    COLOR_OPTION(FIELD(campaign.color)),
    QUIET_OPTION(FIELD(campaign.quiet)),
    {"verbose", 'v', OPTION_FLAG, NULL, FIELD(campaign.verbose), 0, 0, "Print each test."},
};

static const struct option_section auto_sections[] = {
    {"description",
     "Compiles FILES, a harness (plumb.h), and makes tests of the calls that it names with PLUMB_TRY, or one "
     "of each operation: matrices with a column for each thread. For an object without a specification each "
     "test is run serially first, in every order; what the operations answer then, and where they wait, is "
     "the specification. Then every execution of the memory model is run and judged, for every client.\n\n"
     "Elements of containers are 1, 2, 3, ..., and in a few more tests 0, -1, the least value or equal ones, "
     "unless "
     "PLUMB_VALUES or --values says that the container excludes them.\n\n"
     "A test that fails is shrunk: calls, then threads are left out as long as it fails. The smallest one is "
     "reported as 'plumb check' does, and written as one C file that fails by itself.\n\n"
     "When all tests of up to two calls in two threads have passed, larger ones are sampled, with operations "
     "before and after "
     "the threads, until 20 seconds are over: 'holds' is about the small ones, which were run as a whole; of "
     "the larger "
     "ones the result says how many there were.\n"},
    {"output", "One line: 'holds' when all tests passed (of a random sample: 'survived'), 'violated' "
               "followed by the smallest failing test and its counterexample, or 'inconclusive (why)'.\n"},
    {"exit status",
     "0 holds or survived; 1 violated; 2 wrong usage; 3 inconclusive, or interrupted; 4 the program does not "
     "build or cannot be run; 70 an internal error.\n"},
    {"examples", "  plumb auto stack.c\n"
                 "  plumb auto queue.c --random 3x3 --samples 100 --jobs 2\n"
                 "  plumb auto queue.c --calls 'enq(1); enq(2) enq(3); deq' --final 'deq deq'\n"},
};

const struct option_command cli_auto_text = {
    .name = "auto",
    .summary = "Generate tests of a harness and run them all.",
    .operands = "FILE... [-- CFLAGS...]",
    .operands_least = 1,
    .operands_most = SIZE_MAX,
    COMMAND_TABLES(auto_options_table, auto_sections),
};

/* The options that both commands have go together as for a test of 'plumb check'. */
static enum cli_exit check_shared(struct campaign_options *o)
{
    o->test = ""; /* there will be one */
    enum cli_exit exit = check_options_fit(o);
    o->test = NULL;
    return exit;
}

static enum cli_exit read_size(struct autotest *a)
{
    struct auto_options *o = &a->options;
    if (o->size && o->random)
        return output_error(PL_USAGE, "--size is for all tests, --random for a sample: use one");
    if (!auto_parse_size(o->random ? o->random : o->size ? o->size : "2x2", &a->size))
        return output_error(PL_USAGE,
                            "a size is two digits from 1 to 8, like 3x2: calls in a thread x threads");
    if (o->size && o->samples == AUTO_NO_SAMPLES && o->seed != CAMPAIGN_NO_SEED)
        return output_error(PL_USAGE,
                            "--seed is for --random and larger tests: with --size every test is run");
    if (o->random && !o->samples)
        return output_error(PL_USAGE, "--random: a sample of zero tests says nothing");
    if (o->random && o->samples == AUTO_NO_SAMPLES)
        o->samples = 100;
    if (o->seed == CAMPAIGN_NO_SEED)
        o->seed = 1;
    return EXIT_HOLDS;
}

static enum cli_exit read_shard(struct autotest *a)
{
    struct diagnostic why = {0};
    struct campaign_shard *s = &a->options.shard;
    if (!campaign_read_shard(s, &why)) {
        output_diagnostic(NULL, &why);
        return EXIT_USAGE;
    }
    a->shard = s->number;
    a->shards = s->count ? s->count : 1;
    return EXIT_HOLDS;
}

static bool are_writable(const struct auto_options *o)
{
    return (!o->table || output_check_file("--table", o->table)) &&
           (!o->shard.result || output_check_file("--result", o->shard.result)) &&
           (!o->observations || output_check_file("--observations", o->observations));
}

enum cli_exit auto_options_fit(struct autotest *a)
{
    struct campaign_options *o = &a->options.campaign;
    uint64_t processors = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (!o->jobs)
        o->jobs = processors < 64 ? processors : 64;
    enum cli_exit exit = read_size(a);
    if (exit == EXIT_HOLDS)
        exit = read_shard(a);
    if (exit == EXIT_HOLDS)
        exit = check_shared(o);
    return exit != EXIT_HOLDS || are_writable(&a->options) ? exit : EXIT_USAGE;
}
