/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded execution as a text file (.plr), for `plumb replay`:
 *
 *     plumbline trace 1
 *     folder "/home/ann/queue"     where the names below start from
 *     file "queue.c"               or the one program that the user built
 *     flag "-DSMALL"
 *     cc "clang"                   and cxx
 *     noannotations                specifications in comments were ignored
 *     code 5bd1e995a1b2c3d4        fingerprint of the program
 *     test "enq(1) | deq"          absent: main
 *     spec "queue"                 or a C file, which is compiled again; absent: the harness' own
 *     golden "ref.c"               an implementation that is the specification, or goldendefine "K=0"
 *     fixed                        judged as it stands, not for every client
 *     everyhistory                 --histories every
 *     sync 1                       enum worker_sync; absent: 0
 *     serial 1                     enum worker_serial; absent: 0
 *     progress 2                   enum worker_progress: the first two choices are a thread that stops, and where; absent: 0
 *     stoppable 3                  so many threads could
 *     memory "tso"                 of an execution graph; absent: a schedule. "rc11-c11": --release-sequence=c11
 *     allseqcst                    a schedule in which every atomic counts as seq_cst
 *     error "race"
 *     steps 100000                 limit of one execution; absent: none
 *     leaks                        memory never freed is an error
 *     spurious                     these were tried, too: spurious wake-ups, failures of weak CAS, reuse of
 *     weakcas                      freed memory
 *     reuse
 *     passes 1                     errors of other threads before the one that was found; absent: none
 *     races                        races were no errors
 *     volatile                     volatile accesses were atomic ones
 *     uninitialized                plain reads of unwritten memory were errors
 *     race 1 4a10 4b22 7f00        but kept (enum worker_races), and this is the one: two places, address; all 0: none is
 *     order 11c8 0 6               memory orders of a call, and for its failure, instead of those as written (6: as written); a
 *                                  line for each, by place
 *     events 9ae16a3b2f90404f      hash of the events
 *     schedule 12                  choices: threads, b for a branch of the program, * for repetition
 *     0*5 1 b1 2*3 0*2
 *     proof 12                     instead of it: a run of `plumb prove`, as numbers (proving/proving_record.h)
 *     2 3 0 -1*9
 *     end */
#ifndef TARGET_TRACE_FILE_H
#define TARGET_TRACE_FILE_H

#include "base/memory.h"
#include "target/build.h"
#include "target/process.h"

struct trace_file {
    struct target_source source;
    const char *folder;
    const char *cc, *cxx; /* null: those that are used without a choice */
    uint64_t code;
    const char *golden_file, *golden_define; /* which implementation the specification is; null: none */
    const char *error;                       /* word of what was found; null: nothing */
    struct target_run run;                   /* ready for target_start: mode WORKER_REPLAY */
    const int64_t *proof;                    /* a run of `plumb prove`; null: none */
    uint32_t proof_count;
    struct arena arena; /* owns all of the above */
};

/* From a worker that has ended. False, with a diagnostic: the execution had more choices than are kept. */
bool trace_file_record(struct trace_file *trace, const struct target_source *source,
                       const struct target_program *program, const struct target_worker *worker,
                       struct diagnostic *why);

/* One without a run: what has to be built, and where. */
void trace_file_begin(struct trace_file *trace, const struct target_source *source);

bool trace_file_save(const struct trace_file *trace, const char *path, struct diagnostic *why);
bool trace_file_load(struct trace_file *trace, const char *path, struct diagnostic *why);
/* Any bytes: a diagnostic with line and column when they are not a trace. */
bool trace_file_parse(struct trace_file *trace, const char *bytes, size_t length, struct diagnostic *why);
void trace_file_free(struct trace_file *trace);

#endif
