/* SPDX-License-Identifier: Apache-2.0 */
/* --html, --junit and --sarif of litmus tests: an execution has no steps of a program to show, so they have
 * the verdict, the final states as printed, and the line of the claim. */
#ifndef EXPLAIN_EXPLAIN_LITMUS_H
#define EXPLAIN_EXPLAIN_LITMUS_H

#include "litmus/outcomes.h"
#include "report/documents.h"

struct litmus_answer {
    const char *file, *memory;
    enum verdict verdict;
    const struct outcomes *outcomes; /* null: it could not be read, and `why` says so */
    const char *why;
    double seconds;
};

void litmus_document(struct report_documents *d, const struct litmus_answer *a);

#endif
