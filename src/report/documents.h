/* SPDX-License-Identifier: Apache-2.0 */
/* The documents of --html, --junit and --sarif, collected case by case: an input, a test. */
#ifndef REPORT_DOCUMENTS_H
#define REPORT_DOCUMENTS_H

#include "base/verdict.h"
#include "report/counterexample.h"

struct report_case {
    const char *name;
    enum verdict verdict;
    const char *message; /* what was met besides a violation: a limit, an error; or null */
    const char *text;    /* violated: what a terminal shows */
    /* What else the command printed about it: of a litmus test, its states; or null */
    const char *output;
    double seconds;
    const char *const *facts; /* a few words each: "1,204 executions" */
    size_t fact_count;
    const struct report_counterexample *const *found;
    size_t found_count;
    const struct report_counterexample *picture; /* of what holds, for the page; or null */
};

/* Zero-initialised, with what is wanted set: ready. */
struct report_documents {
    bool html, junit, sarif;
    struct text cases, suite, results, notices; /* parts of them so far */
    size_t case_count, failure_count, error_count;
    double seconds;
};

void report_documents_add(struct report_documents *d, const struct report_case *c);

/* Each adds a whole document to `out`. `tool`: name and version; `command`: of plumb. */
void report_html(struct text *out, const struct report_documents *d, const char *tool, const char *command,
                 enum verdict verdict);
void report_junit(struct text *out, const struct report_documents *d, const char *command);
void report_sarif(struct text *out, const struct report_documents *d, const char *tool);

void report_documents_free(struct report_documents *d);

/* Where documents are to be written; null: not wanted. */
struct report_paths {
    const char *html, *junit, *sarif;
};

/* Is there one? */
bool report_paths_wanted(const struct report_paths *paths);

/* The part of one case. */
void html_add_case(struct text *out, const struct report_case *c);
void junit_add_case(struct text *out, const struct report_case *c);
void sarif_add_case(struct text *out, const struct report_case *c);

/* Of one that was not judged. */
void sarif_add_notice(struct text *out, const struct report_case *c);

#endif
