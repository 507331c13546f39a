/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that executions called and of which nothing is known: what they did in memory was not examined. */
#ifndef CLI_CHECK_UNSEEN_H
#define CLI_CHECK_UNSEEN_H

#include "base/json_writer.h"
#include "base/text.h"
#include "base/vec.h"
#include "engine/shared/protocol.h"
#include "target/code/compiled.h"
#include "target/code/foreign.h"

struct check_unseen {
    VEC(struct worker_unseen) list; /* by library and name, each once */
    bool lost;                      /* there were more */
    const struct compiled
        *record; /* with accesses that the compiler did not announce; null: none. Not owned */
};

/* What the program records about its compilation; it has to stay. */
void check_unseen_set_record(struct check_unseen *u, const struct compiled *record);

/* Functions of the program itself that plumb-cc did not compile; the list is freed. */
void check_unseen_take_foreign(struct check_unseen *u, struct foreign *f);

void check_unseen_add_worker(struct check_unseen *u, const struct worker_shared *shared);

/* "; not examined: libz.so.1: deflate, inflate", or nothing. */
void check_unseen_add_text(const struct check_unseen *u, struct text *out);

/* The members "unannounced" and "unseen", or nothing. */
void check_unseen_add_json(const struct check_unseen *u, struct json_writer *w);
void check_unseen_free(struct check_unseen *u);

#endif
