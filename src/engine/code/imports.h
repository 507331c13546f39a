/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_IMPORTS_H
#define ENGINE_IMPORTS_H

#include <stdbool.h>
#include <stdint.h>

/* Once, before the program's memory is copied. */
void imports_redirect(void);

/* Is this one of the instructions that keep registers on the way into the runtime? */
bool imports_is_watching(const void *pc);
/* Does the program call nothing but what compilers insert, and what starts, joins and ends threads? Known after that. */
extern bool imports_are_few;
extern bool imports_has_annotations; /* it has annotated functions (plumb/annotations.h) */

/* A function of a library that was not instrumented, which the program calls. */
struct import_call {
    uint64_t function; /* first: imports_enter goes on there */
    const void *row;   /* what the runtime knows about it, or null */
    const char *name, *library;
    char *stub;
    bool was_called; /* and nothing is known about it */
};

/* Set by the runtime, before imports_redirect: what is to happen at calls of the function. */
enum import_kind {
    IMPORT_HARMLESS, /* nothing */
    IMPORT_ENTERED,  /* imports_enter comes first, with the call in %r11, x17 */
};
extern enum import_kind (*imports_classify)(struct import_call *call, bool is_runtime);
extern void (*imports_enter)(void);

/* The one that was entered last. */
extern struct import_call *imports_last;

#endif
