/* SPDX-License-Identifier: Apache-2.0 */
/* What the documents of --json have in common (docs/json.md), whichever command writes them. */
#ifndef CLI_JSON_DOCUMENT_H
#define CLI_JSON_DOCUMENT_H

#include "base/diagnostic.h"
#include "base/json_writer.h"
#include "campaign/verdict_scope.h"
#include "cli/common/command.h"

#include <sys/resource.h>

/* The members "schema", "tool", "command" and "verdict". */
void json_document_open(struct json_writer *w, const char *command, enum verdict verdict);

/* The head of a proof's document, of one input: as above, then "limits", "scope", "inputs", "pairs", "states" and "transitions". Frees the
 * scope. */
struct json_proof {
    const char *command, *input;
    enum verdict verdict;
    const char *limit; /* of INCONCLUSIVE */
    uint64_t pairs, states, transitions;
};
void json_document_open_proof(struct json_writer *w, const struct json_proof *p, struct verdict_scope *scope);

/* An array of `items`, which are JSON divided by commas. */
void json_document_add_list(struct json_writer *w, const char *name, const struct text *items);

/* The member "error": what is wrong with an input. */
void json_document_add_error(struct json_writer *w, const struct diagnostic *d);

/* The member "stats", which stays open: time, and the memory of this process (RUSAGE_SELF) or of those that it
 * started (RUSAGE_CHILDREN). */
void json_document_open_stats(struct json_writer *w, double seconds, int who);

/* Ends "stats" and the document. */
void json_document_close(struct json_writer *w);

/* Writes it to `path` and frees it. False: after a diagnostic. */
bool json_document_save(struct text *document, const char *path);

/* The command is to write a document to `path`. */
void json_document_expect(const char *command, const char *path);

/* Is that standard output? */
bool json_document_is_stdout(void);

/* The document that says that a limit of `seconds` was met; answers where it is expected, null: nowhere. */
const char *json_document_of_limit(struct text *out, const char *name, const char *limit, double seconds);

/* The command has come to its end. If it had to give up before its document could be written, for another reason than a
 * wrong command line, one is written that says why: what output_gave_up says; the files of --html and so on, too. */
void json_document_end(enum cli_exit exit);

/* Nothing is expected any more: another process has written it. */
void json_document_forget(void);

#endif
