/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C and C++ libraries that compiled code calls, by name: what they do to the thread that calls them, and to
 * what it gives them. The one list of them: the engine, the runtime and the tool read machine code with it. */
#ifndef MACHINE_KNOWN_CALLS_H
#define MACHINE_KNOWN_CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum known_call_kind {
    CALL_OTHER,
    CALL_YIELDS, /* lets other threads run and does nothing else, not even to the time */
    CALL_SLEEPS, /* and time passes, which can be read */
    CALL_STEPS,  /* a step of the thread at an object, for which it may wait */
    CALL_TRIES,  /* such a step, which never waits */
    CALL_QUIET,  /* announces what it accesses, or accesses nothing that others write */
    CALL_ENDS,   /* never returns to its caller */
};

/* All arguments are in registers. */
struct known_call {
    const char *name;
    enum known_call_kind kind;
    uint8_t arguments; /* their number */
    /* bits: addresses that it does not keep, of what it writes or of what does not matter */
    uint8_t lent;
    uint8_t overwrites; /* and of those: `size` bytes, always */
    uint8_t size;
    bool returns_first;
};

/* Null: nothing is known about it. */
const struct known_call *known_call_find(const char *name);

enum known_call_kind known_call_kind_of(const char *name);

/* Is this file one of the runtimes of OpenMP, whose threads cannot be controlled? */
bool known_is_openmp(const char *library);
#define KNOWN_OPENMP "threads of OpenMP cannot be controlled (docs/limits.md#openmp)"

#endif
