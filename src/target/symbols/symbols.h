/* SPDX-License-Identifier: Apache-2.0 */
/* Names for the addresses of a program under test: source lines of code, variables and members of data, objects
 * on the heap, values by their type. Answers come from the debug information of the program's files; where that
 * says nothing, from their symbol tables; else an address reads `program+0x1234`.
 *
 * Strings handed out live as long as the symbols. */
#ifndef TARGET_SYMBOLS_H
#define TARGET_SYMBOLS_H

#include "base/diagnostic.h"
#include "base/text.h"
#include "engine/shared/protocol.h"

#include <stdbool.h>

struct symbols;

struct symbol_frame {
    const char *file;     /* relative to the working directory if it lies there; null: unknown */
    uint32_t line;        /* 0: unknown */
    uint32_t column;      /* 0: unknown */
    const char *function; /* null: unknown */
};

struct symbol_place {
    /* The innermost frame outside of system headers, or else the innermost one */
    struct symbol_frame at;
    /* What is printed: that one, or, if it is a layer around atomics in a file of its own (symbols_wrappers.h), who called it */
    struct symbol_frame shown;
    bool library;                      /* `at` is a system header, too: who called it says more */
    bool wraps;                        /* all of it is such a layer */
    const struct symbol_frame *frames; /* with the functions it was inlined into, innermost first */
    uint32_t frame_count;
};

/* Modules are loaded where dl_iterate_phdr says (dlpi_addr). Never null: a file that cannot be read has no names.
 * *d is set when that is the first module, the program itself. */
struct symbols *symbols_open(const struct worker_module *modules, uint32_t count, struct diagnostic *d);
void symbols_close(struct symbols *s);

/* The place of the call that returns to `pc`; false when no source line is known. The function may be known even
 * then. */
bool symbols_line(struct symbols *s, uint64_t pc, struct symbol_place *out);

/* Of a call stack, innermost first, the place that is shown: the first outside of system headers and of layers around
 * atomics, else the first that has a source line, else the innermost; 0: there is none. */
uint64_t symbols_choose_place(struct symbols *s, const uint64_t *pcs, uint32_t count);

/* Adds "treiber.c:36", or whatever else is known about the place. */
void symbols_add_place(struct symbols *s, uint64_t pc, struct text *out);

/* Memory got at run time. Given while walking a trace, in its order: what overlaps older memory replaces it, and
 * freed memory keeps its name. `pcs` is the call stack of the allocation, innermost first: the type of the objects is
 * guessed from what stands there. */
void symbols_add_heap(struct symbols *s, uint64_t address, uint64_t size, const uint64_t *pcs,
                      uint32_t count);

/* An address on a stack: `pc` is a place in the function whose frame it lies in, `top` the end of that frame. Later
 * ones replace earlier ones, as on the heap. */
void symbols_add_stack(struct symbols *s, uint64_t address, uint64_t pc, uint64_t top);

/* An array of variable length on a stack: what is in it has its name as long as no variable is known to be there. */
void symbols_add_array(struct symbols *s, const struct worker_array *array);

/* An address in the storage of a thread, which has this thread pointer. */
void symbols_add_storage(struct symbols *s, uint64_t address, uint64_t pointer, uint32_t thread);

/* Forgets heap and regions, to walk another trace. */
void symbols_forget_memory(struct symbols *s);

/* Adds the name of [address, address + size): `q.tail`, `slots[3].next`, `node#2.value`, `heap#1+8`. With size 0
 * the name of what begins there: of a mutex, say. */
void symbols_location(struct symbols *s, uint64_t address, uint64_t size, struct text *out);

/* Adds `value` as the type of the accessed location has it: `-1`, `true`, `NULL`, `node#2`, `&q`, `STATE_IDLE`. */
void symbols_value(struct symbols *s, uint64_t address, uint64_t size, uint64_t value, struct text *out);

/* The same of 16 bytes, by their parts: `{top node#2, tag 3}`. */
void symbols_pair(struct symbols *s, uint64_t address, uint64_t first, uint64_t second, struct text *out);

/* Is that all of a location whose values are pointers? */
bool symbols_is_pointer(struct symbols *s, uint64_t address, uint64_t size);

/* Replaces a mangled name of C++ or Rust by that of the source, as far as there is room; others stay. */
void symbols_demangle(char *name, size_t room);

/* Is it a header of the compiler or of a library? */
bool symbols_is_system_file(const char *path);

#endif
