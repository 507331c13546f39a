/* SPDX-License-Identifier: Apache-2.0 */
#include "report/documents.h"

const struct report_document_kind report_document_kinds[REPORT_DOCUMENTS] = {
    [REPORT_HTML] = {"html", html_add_case, html_render},
    [REPORT_JUNIT] = {"junit", junit_add_case, junit_render},
    [REPORT_SARIF] = {"sarif", sarif_add_case, sarif_render},
};

void report_documents_add(struct report_documents *d, const struct report_case *c)
{
    bool violated = c->verdict == VERDICT_VIOLATED;
    bool passed = c->verdict == VERDICT_HOLDS || c->verdict == VERDICT_SURVIVED;
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        if (d->wanted[k])
            report_document_kinds[k].add_case(d, c);
    d->case_count++;
    d->failure_count += violated;
    d->error_count += !violated && !passed;
    d->seconds += c->seconds;
}

void report_documents_free(struct report_documents *d)
{
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        text_free(&d->parts[k]);
    text_free(&d->notices);
}

bool report_paths_wanted(const struct report_paths *paths)
{
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        if (paths->of[k])
            return true;
    return false;
}
