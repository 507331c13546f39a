/* SPDX-License-Identifier: Apache-2.0 */
/* What plumb-cc looks for in sources and headers before, or after, they are compiled. */
#ifndef COMPILE_SOURCE_TEXT_H
#define COMPILE_SOURCE_TEXT_H

#include "compile/word_list.h"

#include <stdbool.h>

/* The bytes of a regular file; false: they cannot be had without reading what can be read once only. */
struct source_text {
    const char *data;
    size_t len;
};
bool source_text_open(struct source_text *text, const char *path);
void source_text_close(struct source_text *text);

/* A word that makes a comment an annotation (docs/annotations.md). */
bool source_text_has_annotation(const struct source_text *text);
/* One in the definition of a macro. */
bool source_text_defines_annotation(const struct source_text *text);
/* SV-COMP's programs mean something by the names of functions (docs/svcomp.md). */
bool source_text_means_names(const struct source_text *text);
/* May it include a header that is compiled already (.gch), which does not say what it was made of? */
bool source_text_may_use_compiled(const struct source_text *text, const char *path,
                                  const struct words *folders);

/* The files of a list of headers, which is written as make reads it. False: one of them is not there, or the list has no
 * end, so that it cannot be trusted. */
bool dependency_list_read(const char *list, struct words *files);

#endif
