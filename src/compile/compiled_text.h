/* SPDX-License-Identifier: Apache-2.0 */
/* Marks in the assembly that a compiler gives to its assembler: docs/internals/engine/assembly.md. */
#ifndef COMPILE_COMPILED_TEXT_H
#define COMPILE_COMPILED_TEXT_H

#include "base/text.h"

#include <stdbool.h>

struct compiled_text {
    const char *name; /* of the file, for what has no other place */
    const char *text;
    size_t length;
    bool no_marks; /* the text cannot be assembled with marks: pieces are named instead */
};

/* Adds the text with marks, and with what the verdict has to name. False: it is the same text. */
bool compiled_text_mark(const struct compiled_text *c, struct text *out);

#endif
