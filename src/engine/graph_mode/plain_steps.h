/* SPDX-License-Identifier: Apache-2.0 */
/* Plain accesses as steps of the graph, for programs whose races are no errors: a read finds any write that an atomic relaxed
 * one could, a write is told to the graph at the thread's next hook, when its value is known. docs/internals/races.md
 * says which accesses are steps and what cannot be told. Private to the engine. */
#ifndef ENGINE_RACY_H
#define ENGINE_RACY_H

#include "engine/engine.h"

/* Races are no errors; and an explorer of graphs decides: plain accesses are steps. */
extern bool racy_allowed ENGINE_HIDDEN, racy_on ENGINE_HIDDEN;
/* Volatile accesses are relaxed atomic ones; and atomic accesses leave a record of happens-before, because plain ones that are
 * steps cannot ask the graph for them. */
extern bool racy_volatile ENGINE_HIDDEN, racy_records ENGINE_HIDDEN;
extern bool racy_is_compiled ENGINE_HIDDEN; /* the next access is one of the machine, as the compiler says */

void racy_prepare(void);
void racy_begin(void); /* an execution begins */

/* A plain access that is about to happen. False: not a step, but one of which all others are aware anyway (nobody else is there,
 * or nobody else looks there). */
bool racy_plain(uint64_t address, size_t size, bool writes, const void *pc);
bool racy_is_step(uint64_t address, size_t size);
void racy_settle(void); /* tells the last write */

/* The compiler announced the write before it announced other things that come first (code_window.h). */
struct racy_write {
    uint64_t address;
    size_t size; /* 0: there is no such write */
    const void *pc;
};
void racy_note_compiled(uint64_t address, size_t size,
                        const void *pc); /* the last write is the compiler's own */
struct racy_write racy_take_unwritten(const void *pc);
void racy_put_back(const struct racy_write *w, uint64_t address, size_t size, bool writes, const void *pc);

/* An atomic access is about to be a step. */
void racy_arrive(uint64_t address, unsigned size, const void *pc);
/* The bytes were changed by somebody who has told, or will tell. */
void racy_note_content(uint64_t address, unsigned size);
void racy_forget_content(uint64_t address); /* or by somebody whose writes are no steps */

/* Is the value there already? What a plain read finds may be read-only. */
bool racy_holds(uint64_t address, unsigned size, event_word value);

/* There is a race: no error, but the access may not be a step. */
void racy_found_race(const struct race *r);

/* A write to the heap that is no step belongs to the initial values. */
void racy_note_initial(uint64_t address, size_t size);
bool racy_was_initially_written(uint64_t address, size_t size);

/* The block is freed. */
void racy_free(uint64_t address, size_t size, const void *pc);

#endif
