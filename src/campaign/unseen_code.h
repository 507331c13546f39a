/* SPDX-License-Identifier: Apache-2.0 */
/* What a verdict depends on, in the program itself: functions that executions called and of which nothing is known, so that what they did
 * in memory was not examined; and memory that was read and never written, which held one value in all executions. */
#ifndef CAMPAIGN_UNSEEN_CODE_H
#define CAMPAIGN_UNSEEN_CODE_H

#include "base/json_writer.h"
#include "base/text.h"
#include "base/vec.h"
#include "engine/shared/protocol.h"
#include "target/code/compiled.h"
#include "target/code/foreign.h"

struct unseen_names {
    char **data;
    size_t len, cap;
};

struct unseen_code {
    struct unseen_names answers;    /* functions and instructions whose answers the system decides, sorted */
    VEC(struct worker_unseen) list; /* by library and name, each once */
    bool lost;                      /* there were more */
    struct unseen_names unwritten;  /* places of plain reads that found nothing written, sorted, each once */
    bool unwritten_lost;            /* there were more */
    const struct compiled
        *record; /* with accesses that the compiler did not announce; null: none. Not owned */
};

/* What the program records about its compilation; it has to stay. */
void unseen_set_record(struct unseen_code *u, const struct compiled *record);

/* Functions of the program itself that plumb-cc did not compile; the list is freed. */
void unseen_take_foreign(struct unseen_code *u, struct foreign *f);

void unseen_add_worker(struct unseen_code *u, const struct worker_shared *shared);

/* By threads: not what runs before main. */
bool unseen_is_called(const struct worker_unseen *one);
/* "; not examined: libz.so: deflate, inflate", or nothing. */
void unseen_add_functions(const struct unseen_code *u, struct text *out);
/* "; reads memory that was never written at x.c:12 (--uninitialized=all); not examined: libz.so.1: deflate, inflate", or nothing. */
void unseen_add_found(const struct unseen_code *u, struct text *out);
/* The same, and what the compiler's hooks do not show: "; not examined with gcc: ...". */
void unseen_add_text(const struct unseen_code *u, struct text *out);

/* The members "unannounced", "unwritten" and "unseen", or nothing. */
void unseen_add_json(const struct unseen_code *u, struct json_writer *w);
void unseen_free(struct unseen_code *u);

#endif
