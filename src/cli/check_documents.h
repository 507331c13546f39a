/* SPDX-License-Identifier: Apache-2.0 */
/* --html, --junit and --sarif of programs under test. */
#ifndef CLI_CHECK_DOCUMENTS_H
#define CLI_CHECK_DOCUMENTS_H

#include "cli/check.h"

/* Writes those that were asked for. False: after a diagnostic. */
bool check_write_documents(const struct check *c, double seconds);

/* The same for one execution that was run again; `same`: it came to the recorded end. */
bool check_document_replay(const struct report_paths *paths, const char *name,
                           const struct worker_shared *shown, bool same);

#endif
