/* SPDX-License-Identifier: Apache-2.0 */
/* Plain accesses as steps of the graph, for programs whose races are no errors: a read finds any write that an atomic relaxed
 * one could, a write is reported to the graph at the thread's next hook, when its value is known. docs/internals/engine/races.md
 * says which accesses are steps and what cannot be decided. Private to the engine. */
#ifndef ENGINE_PLAIN_STEPS_H
#define ENGINE_PLAIN_STEPS_H

#include "engine/engine.h"

/* Races are no errors; and an explorer of graphs decides: plain accesses are steps. */
extern bool races_allowed ENGINE_HIDDEN, plain_steps_on ENGINE_HIDDEN;
/* Volatile accesses are relaxed atomic ones; and atomic accesses leave a record of happens-before, because plain ones that are
 * steps cannot ask the graph for them. */
extern bool volatile_is_atomic ENGINE_HIDDEN, plain_steps_recorded ENGINE_HIDDEN;
extern bool plain_is_compiled ENGINE_HIDDEN; /* the next access is one of the machine, as the compiler says */

void plain_steps_prepare(void);
void plain_steps_begin(void); /* an execution begins */

/* A plain access that is about to happen. False: not a step, since all others are ordered with it anyway (there is no other thread,
 * or none that accesses these bytes). */
bool plain_steps_access(uint64_t address, size_t size, bool writes, const void *pc);
bool plain_is_step(uint64_t address, size_t size);
void plain_steps_settle(void); /* reports the last write */

/* The compiler announced the write before it announced other things that come first (code_window.h). */
struct plain_write {
    uint64_t address;
    size_t size; /* 0: there is no such write */
    const void *pc;
};
void plain_note_compiled(uint64_t address, size_t size,
                         const void *pc); /* the last write is the compiler's own */
struct plain_write plain_take_unwritten(const void *pc);
void plain_put_back(const struct plain_write *w, uint64_t address, size_t size, bool writes, const void *pc);

/* An atomic access is about to be a step. */
void plain_steps_arrive(uint64_t address, unsigned size, const void *pc);
/* Is the value there already? What a plain read finds may be read-only. */
bool plain_holds(uint64_t address, unsigned size, event_word value);

/* There is a race: no error, but the access may not be a step. */
void plain_steps_found_race(const struct race *r);

/* A write to the heap that is no step belongs to the initial values. */
void plain_note_initial(uint64_t address, size_t size);
bool plain_was_initially_written(uint64_t address, size_t size);

/* The block is freed. */
void plain_steps_free(uint64_t address, size_t size, const void *pc);

#endif
