/* SPDX-License-Identifier: Apache-2.0 */
/* What a verdict is about, and what it is not about: rows of short texts, as member `scope` of the JSON document
 * (docs/json.md) and with -v. Code that finds something out that belongs there says it in one line:
 *     scope_say(s, SCOPE_NOT_EXAMINED, "libz.so: %s", function);
 * in one of the functions of verdict_scope.c, which are given all that the run knows. */
#ifndef CAMPAIGN_VERDICT_SCOPE_H
#define CAMPAIGN_VERDICT_SCOPE_H

#include "base/json_writer.h"
#include "base/vec.h"
#include "base/verdict.h"
#include "campaign/campaign_options.h"
#include "campaign/unseen_code.h"
#include "engine/shared/protocol.h"
#include "graph/model.h"
#include "target/build.h"

/* X(NAME, "name in JSON", "name for readers") */
#define SCOPE_ROWS(X)                                                                      \
    X(JUDGED, "judged", "judged as") /* the specification, and where it comes from */      \
    X(MEMORY, "memory", "memory model")                                                    \
    X(EXPLORED, "explored", "explored")             /* which executions of these */        \
    X(BOUNDS, "bounds", "bounds")                   /* that were in force, met or not */   \
    X(ASSUMED, "assumed", "assumed")                /* what an option takes for granted */ \
    X(NOT_TRIED, "not_tried", "not tried")          /* choices of the program */           \
    X(NOT_EXAMINED, "not_examined", "not examined") /* code, and memory that it touches */ \
    X(COMPILED, "compiled", "compiled")

enum scope_row {
#define X(name, word, text) SCOPE_##name,
    SCOPE_ROWS(X)
#undef X
        SCOPE_ROW_COUNT
};

struct verdict_scope {
    VEC(char *) rows[SCOPE_ROW_COUNT];
    struct unseen_code unseen;
};

/* What a run of `plumb check` or `plumb auto` knows when it concludes. */
struct scope_facts {
    const struct campaign_options *options;
    const struct target_source *source;
    const struct target_program *program;
    uint32_t limits;         /* enum worker_limit bits of all workers */
    uint32_t loops;          /* a bound on rounds that was not asked for; 0: none */
    const char *interleaved; /* why interleavings were run instead of graphs, or null */
    const char *tests;       /* plumb auto: which tests, such as "every test up to 2x2"; else null */
};

/* Adds a text to a row; one that is there already is not added again. */
void scope_say(struct verdict_scope *s, enum scope_row row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The memory model, and what it leaves out. */
void scope_say_model(struct verdict_scope *s, const struct memory_model *m);

/* What one process under test says: the specification of its test, the libraries in it. */
void scope_add_worker(struct verdict_scope *s, const struct worker_shared *shared);

/* What the whole run says: options, limits, flags of the compiler. */
void scope_add_run(struct verdict_scope *s, const struct scope_facts *f);

/* Has the verdict a scope? A violation is about one execution, which is shown. */
bool scope_belongs(enum verdict verdict);

/* The members "unseen" and "scope"; the same as lines for readers. */
void scope_json(struct json_writer *w, const struct verdict_scope *s);
void scope_add_text(struct text *out, const struct verdict_scope *s);
void scope_free(struct verdict_scope *s);

#endif
