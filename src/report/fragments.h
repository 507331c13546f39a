/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of documents that come from a file: are they what a document's case is? */
#ifndef REPORT_FRAGMENTS_H
#define REPORT_FRAGMENTS_H

#include "report/documents.h"

/* HTML and SARIF: JSON objects with commas between; JUnit: test cases as junit_add_case writes them. */
bool report_fragment_is_sound(enum report_document kind, const char *text);

#endif
