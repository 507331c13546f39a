/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/output.h"
#include "cli/stress/stress_command.h"
#include "ownspec/spec_choice.h"
#include "spec/registry.h"

#include <stddef.h>

#define FIELD(name) offsetof(struct stress_settings, name)

static const struct option_entry stress_options_table[] = {
    {"threads", 0, OPTION_NUMBER, "N", FIELD(threads), 1, STRESS_THREADS_MAX,
     "Threads of a round. Without it as many as there are processors, at least two, and twice as many in "
     "some rounds."},
    {"time", 0, OPTION_SECONDS, "S", FIELD(time), 0, 0,
     "How long rounds are run, when the program is compiled (10, unless --rounds is given; with --ops 0 "
     "until Ctrl-C)."},
    {"rounds", 0, OPTION_NUMBER, "N", FIELD(rounds), 1, UINT64_MAX / 2, "At most N rounds."},
    {"ops", 0, OPTION_NUMBER, "N", FIELD(ops), 0, INT64_MAX,
     "Operations of each thread in a round. 0: one round without end. Without it short rounds of 10 to 100 "
     "operations and long ones take turns."},
    {"mix", 0, OPTION_TEXT, "LIST", FIELD(mix), 0, 0,
     "How often operations are called, as in 'enq=3,deq=2'; those that are not named are not called, but for "
     "what is taken out in the end. Without "
     "it "
     "containers get as much as is taken out, and looks are fewer."},
    {"keys", 0, OPTION_NUMBER, "N", FIELD(keys), 1, 1 << 20,
     "Keys of sets and maps are 1 to N (4): few, so that calls meet."},
    {"spec", 0, OPTION_TEXT, "NAME|FILE.c", FIELD(spec), 0, 0,
     "The specification, instead of the one that the harness names: one of 'plumb specs' or your own in C."},
    {"init", 0, OPTION_TEXT, "V", FIELD(init), 0, 0,
     "The initial value, in JSON. Only for specifications that have one, such as register."},
    {"quasi", 0, OPTION_TEXT, "Q", FIELD(quasi), 0, 0,
     "Quasi linearizability: what takes something away may be up to Q places out of order (docs/quasi.md)."},
    {"noise", 0, OPTION_NUMBER, "L", FIELD(noise), 0, 100,
     "Compile hooks into the program that delay or yield at L percent of its atomic accesses (0: none)."},
    {"stamps", 0, OPTION_CHOICE, "fenced|raw", FIELD(stamps), 0, 0,
     "Times of calls and returns with fences, so that a violation is one (the default), or without: more is "
     "found, "
     "and a verdict is by the clock only."},
    {"hang", 0, OPTION_SECONDS, "S", FIELD(hang), 0, 0,
     "It is an error when no call returns for S seconds (10), unless all open ones may wait."},
    {"handover", 0, OPTION_SECONDS, "S", FIELD(handover), 0, 0,
     "Let the explorer of 'plumb check' look for the error in small tests for up to S seconds (20)."},
    {"no-handover", 0, OPTION_FLAG, NULL, FIELD(no_handover), 0, 0, "Do not."},
    {"record", 0, OPTION_TEXT, "F", FIELD(record), 0, 0,
     "Write all histories to F, each round as an object of its own: binary if the name ends in .bin, else "
     "JSON lines."},
    {"seed", 0, OPTION_NUMBER, "N", FIELD(seed), 0, UINT64_MAX,
     "Which calls are made (1). The same seed makes the same calls, not the same interleaving."},
    {"memory-limit", 0, OPTION_BYTES, "N[K|M|G]", FIELD(memory_limit), 0, 0,
     "Give up on a history when the search for its order keeps more bytes than this (256M)."},
    COMPILER_OPTIONS(FIELD(cc), FIELD(cxx)),
    SANDBOX_OPTION(FIELD(sandbox)),
    OUT_OPTION(FIELD(out)),
    JSON_OPTION(FIELD(json)),
    REPORT_FILE_OPTIONS(FIELD(files)),
    COLOR_OPTION(FIELD(color)),
    QUIET_OPTION(FIELD(quiet)),
    {"verbose", 'v', OPTION_FLAG, NULL, FIELD(verbose), 0, 0,
     "Print on stderr what was done, how fast, and what was not."},
};

static const struct option_section stress_sections[] = {
    {"description", "Runs the operations of a harness (docs/harness.md) on real threads, as your compiler "
                    "builds them (-O2 unless the flags behind "
                    "-- say otherwise), records each call with the time of its begin and end, and decides "
                    "the histories while the next "
                    "ones are made. --cc, or PLUMB_CC and PLUMB_CXX, name the compilers.\n"
                    "A round is PLUMB_SETUP, threads that start together, PLUMB_INVARIANT, PLUMB_TEARDOWN. "
                    "Each round begins with "
                    "what the program begins with: it runs in a process of its own.\n"
                    "A crash, a call that never returns, an exit and a false invariant are errors as well. "
                    "docs/stress.md has a tour.\n"},
    {"output", "One line on standard output: 'FILE: survived' with what was done, 'FILE: violated' followed "
               "by what was found, or "
               "'FILE: inconclusive (why)'. The history of a violated round is kept in NAME.stress.jsonl.\n"},
    {"exit status", "0 nothing was found; 1 violated; 2 wrong usage or a wrong harness; 3 some history was "
                    "not decided, or the program was killed; 4 "
                    "it does not build or run; 70 an internal error.\n"},
    {"examples", "  plumb stress queue.c\n"
                 "  plumb stress queue.c --threads 8 --time 60 -- -O3 -DNDEBUG\n"
                 "  plumb stress set.cpp --mix 'add=2,remove=2,contains=1' --keys 16\n"},
};

const struct option_command cli_stress_text = {
    .name = "stress",
    .summary = "Run a harness on real threads and decide what was recorded.",
    .operands = "FILE... [-- COMPILER FLAGS]",
    .operands_least = 1,
    .operands_most = SIZE_MAX,
    COMMAND_TABLES(stress_options_table, stress_sections),
};

static bool check_judging(const struct stress_settings *o, struct diagnostic *d)
{
    const struct plumb_spec *spec = o->spec ? spec_choice_find(o->spec, d) : NULL;
    struct pipeline_question question = {.init = o->init, .quasi = o->quasi};
    return !d->code && pipeline_question_check(&question, spec, d);
}

enum cli_exit stress_options_fit(struct stress_command *c)
{
    struct stress_settings *o = &c->settings;
    struct diagnostic d = {0};
    if (o->quasi && !o->ops)
        return output_error(PL_USAGE,
                            "quasi linearizability is decided for whole rounds: --ops 0 has no end");
    if (!check_judging(o, &d)) {
        output_diagnostic(NULL, &d);
        return EXIT_USAGE;
    }
    if ((o->json && !output_check(o->json)) || (o->record && !output_check_file("record", o->record)) ||
        !report_files_can_write(&o->files))
        return EXIT_USAGE;
    if (o->time <= 0 && !o->rounds && o->ops != 0)
        o->time = 10;
    return EXIT_HOLDS;
}
