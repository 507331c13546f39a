/* SPDX-License-Identifier: Apache-2.0 */
/* The documents of --html, --junit and --sarif, collected case by case: an input, a test. */
#ifndef REPORT_DOCUMENTS_H
#define REPORT_DOCUMENTS_H

#include "base/verdict.h"
#include "report/counterexample.h"

/* How far a run was at some moment. */
struct report_sample {
    double seconds;
    uint64_t recorded, judged; /* operations, by then */
};

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
    const struct report_sample *samples;         /* of a run on real threads, ascending: for the page */
    size_t sample_count;
    /* seconds after its begin; 0: nothing was found, or there are no samples */
    double found_at;
};

enum report_document { REPORT_HTML, REPORT_JUNIT, REPORT_SARIF, REPORT_DOCUMENTS };

/* Zero-initialised, with what is wanted set: ready. */
struct report_documents {
    bool wanted[REPORT_DOCUMENTS];
    struct text parts[REPORT_DOCUMENTS]; /* of each, so far */
    struct text notices;                 /* of SARIF: what was not judged */
    size_t case_count, failure_count, error_count;
    double seconds;
};

/* What documents say of the run as a whole. */
struct report_run {
    const char *tool;    /* name and version */
    const char *command; /* of plumb */
    enum verdict verdict;
};

/* A kind of document: another one is another row. */
struct report_document_kind {
    const char *option;                                                        /* "html" for --html */
    void (*add_case)(struct report_documents *d, const struct report_case *c); /* to d->parts */
    void (*render)(struct text *out, const struct report_documents *d, const struct report_run *run);
};

extern const struct report_document_kind report_document_kinds[REPORT_DOCUMENTS];

void report_documents_add(struct report_documents *d, const struct report_case *c);
void report_documents_free(struct report_documents *d);

/* Where documents are to be written; null: not wanted. */
struct report_paths {
    const char *of[REPORT_DOCUMENTS];
};

/* Is there one? */
bool report_paths_wanted(const struct report_paths *paths);

void html_add_case(struct report_documents *d, const struct report_case *c);
void junit_add_case(struct report_documents *d, const struct report_case *c);
void sarif_add_case(struct report_documents *d, const struct report_case *c);
void html_render(struct text *out, const struct report_documents *d, const struct report_run *run);
void junit_render(struct text *out, const struct report_documents *d, const struct report_run *run);
void sarif_render(struct text *out, const struct report_documents *d, const struct report_run *run);

#endif
