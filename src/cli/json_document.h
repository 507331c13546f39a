/* SPDX-License-Identifier: Apache-2.0 */
/* What the documents of --json have in common (docs/json.md), whichever command writes them. */
#ifndef CLI_JSON_DOCUMENT_H
#define CLI_JSON_DOCUMENT_H

#include "base/diagnostic.h"
#include "base/json_writer.h"

#include <sys/resource.h>

/* The members "schema", "tool", "command" and "verdict". */
void json_document_open(struct json_writer *w, const char *command, const char *verdict);

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

#endif
