/* SPDX-License-Identifier: Apache-2.0 */
/* Races that the user does not want to hear of (--suppress): rules of one line each,
 *     race:variable NAME     the raced-on variable, or an array or structure around it; of memory from malloc the guessed type
 *     race:function NAME     one of the two accesses is made in this function, or was inlined into it
 *     race:file PATTERN      one of the two accesses is in this file
 * `*`, `?` and `[...]` in names are wildcards, `#` begins a comment. */
#ifndef CAMPAIGN_SUPPRESS_H
#define CAMPAIGN_SUPPRESS_H

#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/diagnostic.h"
#include "base/options.h"
#include "engine/shared/protocol.h"
#include "target/symbols/symbols.h"

enum suppress_kind { SUPPRESS_VARIABLE, SUPPRESS_FUNCTION, SUPPRESS_FILE };

struct suppression {
    enum suppress_kind kind;
    const char *name;
    const char *file; /* where the rule stands; null: on the command line */
    uint64_t line;
    uint64_t matched; /* races */
};

struct suppressions {
    VEC(struct suppression) rules;
    VEC(const char *) races; /* that were left out, each once: location and places */
    struct arena strings;
};

/* Each word is a rule, or else the name of a file with rules. False, with a diagnostic that has file, line and column. */
bool suppress_read(struct suppressions *s, const struct operand_list *words, struct diagnostic *why);
/* One file's text. False, with a diagnostic. */
bool suppress_parse(struct suppressions *s, const char *file, const char *text, struct diagnostic *why);
void suppress_free(struct suppressions *s);

/* Does the race fall under a rule? It is counted then. `symbols` may know the blocks of the heap. */
bool suppress_race(struct suppressions *s, struct symbols *symbols, const struct worker_error *race);
/* Does the name of a location ("slots[3].next", "node#2.next") fall under the name of a variable? */
bool suppress_matches_variable(const char *location, const char *name);

/* "race:variable hits (rules.txt:3)" */
void suppress_add_text(struct text *out, const struct suppression *rule);

#endif
