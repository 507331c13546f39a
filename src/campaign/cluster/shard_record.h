/* SPDX-License-Identifier: Apache-2.0 */
/* What came of one shard (--shard I/N), as a file of lines:
 *
 *     plumbline shard 1
 *     tool 0.1.0
 *     command check
 *     name queue.c
 *     fingerprint 5bd1e995a1b2c3d4   program and options: the same for all shards
 *     division 7ce3                  how the executions were divided: the same for all that came to that
 *     shard 2 4
 *     size up to 2x2                 plumb auto: of the tests
 *     answer holds                   of this part; what is said of all when all say it
 *     executions 1200                and other numbers, which are added up
 *     limit TEXT                     why it is inconclusive
 *     note TEXT                      what is named with a verdict
 *     object 7f0010 1 0              what is known of a synchronization object: address, mutex, no mutex
 *     failing 12                     plumb auto: number of the test that failed
 *     trace queue.plr                the recorded execution, with its bytes
 *     bytes TEXT
 *     report TEXT                    as it was printed
 *     html TEXT                      as its case is in that document; junit and sarif, too
 *     end 9ae16a3b2f90404f           hash of all bytes before this line
 *
 * TEXT ends with the line; newlines in it are \n, backslashes \\. */
#ifndef CAMPAIGN_SHARD_RECORD_H
#define CAMPAIGN_SHARD_RECORD_H

#include "base/diagnostic.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/verdict.h"
#include "engine/shared/work_pool.h"
#include "report/documents.h"

/* X(NAME, "name in the file", "name for readers, behind the number; or null: not printed") */
#define SHARD_NUMBERS(X)                                        \
    X(TESTS, "tests", "tests")                                  \
    X(PASSED, "passed", NULL)                                   \
    X(FAILED, "failed", "failed")                               \
    X(INCONCLUSIVE, "inconclusive", NULL)                       \
    X(EXECUTIONS, "executions", "executions")                   \
    X(BLOCKED, "blocked", "blocked")                            \
    X(REFUTED, "refuted", NULL)                                 \
    X(CUT, "cut", NULL)                                         \
    X(STOPPED, "stopped", "in which a thread may stop forever") \
    X(LARGER_TESTS, "larger_tests", "larger tests survived")    \
    X(LARGER_EXECUTIONS, "larger_executions", NULL)             \
    X(PIECES, "pieces", NULL)

enum shard_number {
#define X(name, word, text) SHARD_##name,
    SHARD_NUMBERS(X)
#undef X
        SHARD_NUMBER_COUNT
};

extern const char *const shard_number_words[SHARD_NUMBER_COUNT];

typedef VEC(char *) shard_texts;

struct shard_record {
    char *path; /* that it was read from */
    char *tool, *command, *name;
    char *size;                     /* of tests; or null */
    uint64_t fingerprint, division; /* division 0: none */
    uint64_t number, count;         /* from 0 */
    enum verdict answer;
    uint64_t numbers[SHARD_NUMBER_COUNT];
    shard_texts limits, notes;
    VEC(struct pool_object) objects;
    uint64_t failing;              /* from 1; 0: none */
    char *trace, *trace_bytes;     /* or null */
    char *report;                  /* or null */
    char *cases[REPORT_DOCUMENTS]; /* or null */
};

/* As bytes of a file. */
void shard_record_print(struct text *out, const struct shard_record *r);
/* False: it cannot be read, or is no such file. */
bool shard_record_load(struct shard_record *r, const char *path, struct diagnostic *why);
bool shard_record_parse(struct shard_record *r, const char *bytes, size_t length, struct diagnostic *why);
void shard_record_free(struct shard_record *r);

/* A copy of the text joins the list. */
void shard_add_text(shard_texts *list, const char *words);

#endif
