/* SPDX-License-Identifier: Apache-2.0 */
#include "report/documents.h"

#include <string.h>

void report_documents_add(struct report_documents *d, const struct report_case *c)
{
    bool violated = c->verdict == VERDICT_VIOLATED;
    bool passed = c->verdict == VERDICT_HOLDS || c->verdict == VERDICT_SURVIVED;
    if (d->html)
        html_add_case(&d->cases, c);
    if (d->junit)
        junit_add_case(&d->suite, c);
    if (d->sarif)
        sarif_add_case(&d->results, c);
    if (d->sarif && !violated && !passed)
        sarif_add_notice(&d->notices, c);
    d->case_count++;
    d->failure_count += violated;
    d->error_count += !violated && !passed;
    d->seconds += c->seconds;
}

void report_documents_free(struct report_documents *d)
{
    text_free(&d->cases);
    text_free(&d->suite);
    text_free(&d->results);
    text_free(&d->notices);
}

bool report_paths_wanted(const struct report_paths *paths)
{
    return paths->html || paths->junit || paths->sarif;
}
