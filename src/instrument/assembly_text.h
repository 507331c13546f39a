/* SPDX-License-Identifier: Apache-2.0 */
/* Marks by which the runtime finds assembly: two instructions that do nothing, with a magic number and the length of what follows. */
#ifndef INSTRUMENT_ASSEMBLY_TEXT_H
#define INSTRUMENT_ASSEMBLY_TEXT_H

#include "base/text.h"

#include <stdbool.h>

enum assembly_kind {
    ASSEMBLY_INLINE,   /* of a function of the program */
    ASSEMBLY_COMPILED, /* an instruction that the compiler chose */
    ASSEMBLY_ALONE     /* a function of its own */
};

/* More than labels, directives and comments? */
bool assembly_has_instruction(const char *text, size_t length);
/* Stores that go past the caches, which x86 does not keep in order? */
bool assembly_has_streams(const char *text);
/* Before and behind a piece; the number makes its labels unique. */
void assembly_put_mark(struct text *out, enum assembly_kind kind, const char *number);
void assembly_put_end(struct text *out, const char *number);

/* Marks a whole file, or assembly between functions. */
void assembly_mark_text(struct text *out, const char *text, size_t length);
/* Did a compiler write it? Then its functions are not assembly of the program's. */
bool assembly_is_compiled(const char *text, size_t length);

#endif
