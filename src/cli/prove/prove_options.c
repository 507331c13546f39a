/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/prove/prove_options.h"

#include "cli/common/output.h"

#include <stddef.h>

#define FIELD(name) offsetof(struct prove_options, name)

enum { VALUES_MOST = 16 };

static const struct option_entry prove_options_table[] = {
    {"threads", 0, OPTION_NUMBER, "N", FIELD(threads), 1, PROVE_MOST_THREADS,
     "That many threads call operations (2)."},
    {"inside", 0, OPTION_NUMBER, "N", FIELD(inside), 1, PROVE_INSIDE_MOST,
     "At most N items are inside of a container at a time: additions called less removals returned (3, or "
     "with a capacity up to 6 so many that nothing is left out: the capacity and the threads)."},
    {"spec", 0, OPTION_TEXT, "NAME|FILE", FIELD(spec), 0, 0,
     "The specification, instead of that of PLUMB_OBJECT: queue, stack, set, 'queue(cap=4)', any other of "
     "'plumb specs'; or a C file (docs/own_specs.md)."},
    {"quasi", 0, OPTION_TEXT, "Q", FIELD(quasi), 0, 0,
     "Quasi linearizability: removals may be up to Q places out of order (docs/quasi.md)."},
    {"golden", 0, OPTION_TEXT, "FILE", FIELD(golden), 0, 0,
     "An implementation of the same operations that is right: what it answers, one operation after the "
     "other, is the specification. An object without one, PLUMB_OBJECT(), is its own."},
    {"golden-define", 0, OPTION_TEXT, "K=V", FIELD(golden_define), 0, 0,
     "The same, from FILES themselves, compiled with this macro."},
    {"values", 0, OPTION_NUMBER, "N", FIELD(values), 1, VALUES_MOST,
     "Arguments are 1..N. Without it queues and stacks are given items that are all different, and "
     "everything "
     "else 1..2."},
    {"distance", 0, OPTION_NUMBER, "N", FIELD(distance), 1, 1000,
     "Of removed nodes, keep those that are at most N pointers away from a thread (2, 4, 8, 16, then all: "
     "the first with "
     "which no thread comes to one that was not kept)."},
    {"shift", 0, OPTION_TEXT, "NAMES", FIELD(shift), 0, 0,
     "Counters that grow without end (4 or 8 bytes), and of which only differences matter: variables as "
     "reports "
     "name them, "
     "with [] for any index, as in 'head,tail,cells[].turn'. States in which all of them differ by the same "
     "are the same; that they never wrap is assumed."},
    {"shift-by", 0, OPTION_NUMBER, "M", FIELD(shift_by), 1, 1000,
     "With --shift: differ by the same multiple of M (1, 2, 3, ..., 64: the first that no twin step and no "
     "run from "
     "other beginnings refutes)."},
    {"stale", 0, OPTION_NUMBER, "D", FIELD(stale), 1, 1000,
     "With --shift: threads hold copies of counters; that those which are more than D behind all counters "
     "behave "
     "alike is assumed, too (3 is mostly enough). Without it they are all different, which may have no end."},
    {"forget", 0, OPTION_TEXT, "NAMES", FIELD(forget), 0, 0,
     "Variables on which nothing depends, such as statistics: assumed, and tried by twin steps."},
    {"memory", 0, OPTION_CHOICE, "sc|tso", FIELD(memory), 0, 0,
     "The memory model: sc, every access of the compiled code takes effect at once and for all threads; or "
     "tso, stores wait in a buffer of "
     "their thread, until its operation returns at the latest."},
    {"time", 0, OPTION_SECONDS, "S", FIELD(time), 0, 0, "Give up after S seconds (no limit)."},
    {"memory-limit", 0, OPTION_BYTES, "N[K|M|G]", FIELD(memory_limit), 0, 0,
     "Give up when the search keeps more bytes than this (2G)."},
    {"no-twins", 0, OPTION_FLAG, NULL, FIELD(no_twins), 0, 0,
     "Do not repeat each step with other addresses, items and threads. The verdict then assumes that the "
     "code does not distinguish them."},
    {"no-symmetry", 0, OPTION_FLAG, NULL, FIELD(no_symmetry), 0, 0,
     "Threads keep their numbers: more states."},
    {"no-liveness", 0, OPTION_FLAG, NULL, FIELD(no_liveness), 0, 0,
     "Registers and stack slots that are never read again are part of states: more states."},
    {"no-merging", 0, OPTION_FLAG, NULL, FIELD(no_merging), 0, 0,
     "Every access is a step of its own, also where no other thread disturbs it: more states."},
    {"trace", 0, OPTION_TEXT, "FILE", FIELD(trace), 0, 0,
     "Where a counterexample is saved for 'plumb replay' (the first file's name with .plr)."},
    SANDBOX_OPTION(FIELD(sandbox)),
    OUT_OPTION(FIELD(out)),
    JSON_OPTION(FIELD(json)),
    REPORT_FILE_OPTIONS(FIELD(files)),
    COMPILER_OPTIONS(FIELD(cc), FIELD(cxx)),
    COLOR_OPTION(FIELD(color)),
    QUIET_OPTION(FIELD(quiet)),
    {"verbose", 'v', OPTION_FLAG, NULL, FIELD(verbose), 0, 0,
     "Print on stderr how many states and pairs were met, how long it took, and how much memory."},
};

static const struct option_section prove_sections[] = {
    {"description",
     "FILES are the sources of a harness (docs/harness.md): PLUMB_OBJECT and PLUMB_OP, without tests. "
     "Threads call its "
     "operations forever, in every order; the compiled code itself is run, one access at a time, and every "
     "state that it "
     "can be in is visited once. 'holds' is a proof for every sequence of calls, of any length, of that many "
     "threads with "
     "that many items inside. 'violated' comes with a shortest run, which was repeated in another process. "
     "Words behind '--' are flags of the compiler (-O1 -g come first). docs/prove.md says what is "
     "assumed.\n"},
    {"exit status", "0 holds; 1 violated; 2 wrong usage, or a harness that cannot be proved; 3 inconclusive: "
                    "a limit was met, or "
                    "the code does something that is not supported, and the line says what; 4 the program "
                    "does not build or run; "
                    "70 an internal error.\n"},
    {"examples", "  plumb prove examples/prove/treiber_gc.c\n"
                 "  plumb prove examples/prove/lazy_set.c --threads 3 -v\n"
                 "  plumb prove mine.c --inside 2 --time 60 -- -DNDEBUG -O2\n"},
};

const struct option_command cli_prove_text = {
    .name = "prove",
    .summary = "Prove a harness for any number of calls, on the compiled code.",
    .operands = "FILES",
    .operands_least = 1,
    .operands_most = UINT32_MAX,
    COMMAND_TABLES(prove_options_table, prove_sections),
};

enum cli_exit prove_options_fit(const struct prove_options *o)
{
    if (o->quasi && o->values)
        return output_error(PL_USAGE, "--quasi is for items that are all different: not with --values");
    if ((o->shift_by || o->stale) && !o->shift)
        return output_error(PL_USAGE, "--shift-by and --stale need --shift");
    if ((o->golden || o->golden_define) && o->spec)
        return output_error(PL_USAGE, "--golden is a specification: not with --spec");
    return EXIT_HOLDS;
}
