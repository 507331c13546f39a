/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/refine/refine_options.h"

#include "cli/common/output.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(struct refine_options, name)

enum { FREE_VALUES_MOST = 250 };

static const struct option_entry refine_options_table[] = {
    {"spec", 0, OPTION_TEXT, "NAME|FILE", FIELD(spec), 0, 0,
     "The specification: queue, stack, pqueue, set, register, counter, any other of 'plumb specs'; or a "
     "file: a model (.pml) with one sequential process, or a transition system (.aut)."},
    {"capacity", 0, OPTION_NUMBER, "N", FIELD(capacity), 1, 250,
     "The object holds at most N items (no limit)."},
    {"full", 0, OPTION_CHOICE, "any|capacity|block", FIELD(full), 0, 0,
     "When an addition may answer FULL: always (the verdict says if that was used), only with --capacity "
     "items inside, or never (it waits then)."},
    {"quasi", 0, OPTION_TEXT, "Q", FIELD(quasi), 0, 0,
     "Quasi linearizability: operations that take something away may be up to Q places out of order among "
     "each other; or name what may move, as in deq=2,enq=1 (docs/quasi.md)."},
    {"reading", 0, OPTION_CHOICE, "cc|c", FIELD(reading), 0, 0,
     "Quasi: judge runs as stopped on the way, removals may follow (cc, the default), or as complete (c)."},
    {"values", 0, OPTION_TEXT, "distinct|free:N", FIELD(values), 0, 0,
     "Arguments: every one is new (the default for queue, stack and pqueue), or each of 1..N (free:2 "
     "otherwise)."},
    {"threads", 0, OPTION_NUMBER, "N", FIELD(threads), 1, REFINE_THREADS_MAX,
     "Define the model's macro THREADS as N."},
    {"define", 'D', OPTION_LIST, "NAME[=TEXT]", FIELD(defines), 0, 0,
     "Define a macro of the model; can be given several times."},
    {"trace", 0, OPTION_FLAG, NULL, FIELD(trace), 0, 0,
     "Trace refinement: --spec is a model with the same threads, and every sequence of calls and returns has "
     "to be one of its own."},
    {"deadlock", 0, OPTION_FLAG, NULL, FIELD(deadlock), 0, 0,
     "A state in which no process can go on, and not all are at their end, is an error, too."},
    {"exact", 0, OPTION_FLAG, NULL, FIELD(exact), 0, 0,
     "Do not try the linearization points that the model marks (POINT) first."},
    {"export-aut", 0, OPTION_TEXT, "F", FIELD(export_aut), 0, 0,
     "Write the model's transition system to F, in Aldebaran form, for the values of --values."},
    {"export-spec", 0, OPTION_TEXT, "F", FIELD(export_spec), 0, 0,
     "Write the specification's to F: the object with as many threads; needs --capacity if it can grow."},
    OUT_OPTION(FIELD(out)),
    JSON_OPTION(FIELD(json)),
    REPORT_FILE_OPTIONS(FIELD(files)),
    {"jobs", 0, OPTION_NUMBER, "N", FIELD(jobs), 1, 64, "Search with N threads (one)."},
    {"time", 0, OPTION_SECONDS, "S", FIELD(time), 0, 0, "Give up after S seconds (no limit)."},
    {"memory-limit", 0, OPTION_BYTES, "N[K|M|G]", FIELD(memory_limit), 0, 0,
     "Give up when the search keeps more bytes than this (half of the memory there is)."},
    COLOR_OPTION(FIELD(color)),
    QUIET_OPTION(FIELD(quiet)),
    {"verbose", 'v', OPTION_FLAG, NULL, FIELD(verbose), 0, 0,
     "Print on stderr how many states and pairs were met, how long it took, and how much memory."},
};

static const struct option_section refine_sections[] = {
    {"description",
     "A model is a file in a subset of Promela, so SPIN runs it, too: processes that call operations of one "
     "object without end. CALL(enq, x) and RET(enq, OK) mark where operations begin and end. 'holds' is a "
     "proof for all runs of any length: whatever the threads do, the specification explains every answer. "
     "'violated' comes with a run that has the fewest steps. docs/models.md has the language.\n"},
    {"exit status", "0 holds; 1 violated, also when the model fails an assertion or leaves an array; 2 wrong "
                    "usage or a bad model; 3 a limit was met, or interrupted; 70 an internal error.\n"},
    {"examples",
     "  plumb refine models/queue_ms.pml --spec queue\n"
     "  plumb refine models/segmented_queue.pml -D FACTOR=2 -D SEGMENTS=3 --spec queue --quasi deq=2\n"
     "  plumb refine models/segmented_queue.pml --trace --spec models/queue_clustered.pml\n"},
};

const struct option_command cli_refine_text = {
    .name = "refine",
    .summary = "Verify a model with unboundedly many calls against a specification.",
    .operands = "MODEL",
    .operands_least = 1,
    .operands_most = 1,
    COMMAND_TABLES(refine_options_table, refine_sections),
};

enum cli_exit refine_options_fit(struct refine_options *o)
{
    char *end;
    if (o->values && !strncmp(o->values, "free:", 5)) {
        unsigned long n = strtoul(o->values + 5, &end, 10);
        o->free_values = n <= FREE_VALUES_MOST && !*end ? (uint32_t)n : 0;
    }
    if (o->values && !o->free_values && strcmp(o->values, "distinct") != 0)
        return output_error(PL_USAGE, "--values takes distinct or free:N with N up to %d, not '%.40s'",
                            FREE_VALUES_MOST, o->values);
    if (!o->spec && !o->export_aut)
        return output_error(PL_USAGE, "which specification? (--spec NAME or --spec FILE)");
    if (o->full == REFINE_FULL_CAPACITY && !o->capacity)
        return output_error(PL_USAGE, "--full capacity needs --capacity N");
    if (o->trace && (o->quasi || o->capacity || o->full || o->reading))
        return output_error(
            PL_USAGE, "--trace compares two models as they are: no --quasi, --capacity, --full or --reading");
    if (o->trace && o->deadlock)
        return output_error(PL_USAGE, "--trace compares calls and returns: it does not look for deadlocks");
    if (o->export_spec && (!o->spec || o->trace))
        return output_error(PL_USAGE, "--export-spec needs --spec, and not --trace");
    return EXIT_HOLDS;
}
