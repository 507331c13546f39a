/* SPDX-License-Identifier: Apache-2.0 */
/* Marks by which the runtime finds assembly: two instructions that do nothing, with a magic number and the length of what follows. */
#ifndef COMPILE_ASSEMBLY_TEXT_H
#define COMPILE_ASSEMBLY_TEXT_H

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

/* Assembly outside of functions that a compiler wrote, line by line. */
struct assembly_marker {
    struct text *out;
    unsigned pieces;
    bool open;       /* a piece */
    bool code, last; /* is the section one of code, and was the one before? */
    bool saved[16];  /* by .pushsection */
    unsigned depth;
};

/* Does the statement change the section? */
bool assembly_note_section(struct assembly_marker *m, const char *at, const char *end);
void assembly_close_piece(struct assembly_marker *m);
/* Marks what follows each label in a section of code. */
void assembly_mark_lines(struct assembly_marker *m, const char *text, size_t length);
/* A whole file, or all the assembly between the functions of one. */
void assembly_mark_text(struct text *out, const char *text, size_t length);

#endif
