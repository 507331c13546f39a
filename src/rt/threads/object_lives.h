/* SPDX-License-Identifier: Apache-2.0 */
/* The lives of synchronization objects. Each has a word of its own, in the program's object, that says whether it was
 * initialised by a call or destroyed; static initialisers leave 0 there, and malloc what it fills blocks with. */
#ifndef RT_OBJECT_LIVES_H
#define RT_OBJECT_LIVES_H

#include "rt/hook.h"

enum object_mark {
    OBJECT_STATIC = 0,
    OBJECT_LIVE = 0x11fe11fe,
    OBJECT_UNTIMED = 0x11fe11ff, /* the same, of C11: a mutex that is not to be waited for with a limit */
    OBJECT_DESTROYED = 0x0dead5e3,
};
#define OBJECT_NEVER (UINT32_C(0x01010101) * HEAP_FILLING)

struct object {
    void *at;
    size_t size;
    uint32_t mark;
    const char *what; /* "mutex" */
};

/* Before each use: fails when there is no such object (any more). */
void object_check(struct object o, const void *pc);
/* The same for those that have no static initialisers. Constructors may have initialised it by object_note_early. */
void object_check_begun(struct object o, const void *pc);
void object_note_early(const void *at);

/* It is initialised now: fails when it is already, or another thread may use it. */
void object_begin(struct object o, const void *pc);

/* It is destroyed: fails when another thread has used it and nothing orders that before. */
void object_end(struct object o, const void *pc);

#endif
