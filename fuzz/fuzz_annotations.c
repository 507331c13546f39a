/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file whose comments may be specifications: errors with a place, or text of about that size. */
#include "annotate/annotate.h"
#include "base/check.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check(const char *text, size_t length, enum annotate_language language)
{
    struct annotate_result result;
    enum annotate_outcome outcome = annotate_translate(text, length, language, &result);
    CHECK((outcome == ANNOTATE_WRONG) == (result.errors.len > 0) && result.errors.len <= 100);
    for (size_t k = 0; k < result.errors.len; k++) {
        const struct diagnostic *d = &result.errors.data[k];
        CHECK(d->code == PL_ANNOTATION && d->message[0] && d->line <= UINT32_MAX && d->column >= 1);
    }
    CHECK(outcome == ANNOTATE_DONE || result.text.len == 0 || result.errors.len);
    annotate_result_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct text t = {0};
    text_add(&t, (const char *)bytes, length);
    check(t.data, length, ANNOTATE_C);
    check(t.data, length, ANNOTATE_CXX);
    text_free(&t);
    return 0;
}
