/* SPDX-License-Identifier: Apache-2.0 */
/* Specifications in comments become code. In: a translation unit after the preprocessor, with its comments, line markers and
 * definitions of macros (-E -C -dD). Out: the same text for the compiler, in which annotations are calls of
 * plumb/annotations.h, with line markers so that every line is still the user's; or errors at the comments' own lines.
 * docs/annotations.md is the language, docs/internals/judge/annotations.md says what it becomes. */
#ifndef ANNOTATE_ANNOTATE_H
#define ANNOTATE_ANNOTATE_H

#include "base/diagnostic.h"
#include "base/text.h"
#include "base/vec.h"

enum annotate_language { ANNOTATE_C, ANNOTATE_CXX };

enum annotate_outcome {
    ANNOTATE_NOTHING, /* there are no annotations: compile the file as it is */
    ANNOTATE_DONE,
    ANNOTATE_WRONG, /* there are errors */
};

struct annotate_result {
    struct text text;
    VEC(struct diagnostic) errors; /* in the order of the text, each with file, line and column */
};

enum annotate_outcome annotate_translate(const char *bytes, size_t length, enum annotate_language language,
                                         struct annotate_result *result);
void annotate_result_free(struct annotate_result *result);

#endif
