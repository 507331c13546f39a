/* SPDX-License-Identifier: Apache-2.0 */
/* Inline assembly of the program under test, x86-64. plumb-as has put a mark in front of each piece; the piece is copied
 * here, with a call of ours in front of every instruction that others may notice, and the mark becomes a jump to the copy.
 * So its instructions run as they are, when it is their thread's turn. docs/internals/engine/assembly.md */
#ifndef RT_INLINE_CODE_H
#define RT_INLINE_CODE_H

#include "base/vec.h"
#include "engine/shared/protocol.h"
#include "graph/operation.h"
#include "machine/instruction.h"

/* Registers that a call may change. */
#define INLINE_SCRATCH (UINT64_C(0x0fc7) | MACHINE_VECTORS | MACHINE_FLAGS)

/* What other threads, or the tool, have to know of. */
enum inline_action {
    INLINE_QUIET,   /* nothing */
    INLINE_FENCE,   /* all stores before are visible */
    INLINE_ACCESS,  /* of memory, at an operand */
    INLINE_COPY,    /* of memory, at rsi and rdi */
    INLINE_QUERY,   /* what no execution decides: time stamps, random numbers, what the processor is */
    INLINE_UNKNOWN, /* of which we know too little to run it */
};

/* Where the value comes from that is written or combined with the one in memory. */
enum inline_source {
    SOURCE_NONE, /* not known: the access is a plain one */
    SOURCE_CONSTANT,
    SOURCE_REGISTER,
    SOURCE_CONDITION, /* 1 if the condition of that number is true, else 0 */
    SOURCE_PAIR,      /* cmpxchg8b, cmpxchg16b: ecx:ebx, rcx:rbx */
};

struct inline_meaning {
    enum inline_action action;
    enum operation operation; /* on memory; OPERATION_NONE: a plain access */
    enum inline_source source;
    uint8_t source_register;
    bool high_byte; /* of the source register */
    bool bits;      /* the source is the number of a bit, which may lie beside the operand */
    bool carries;   /* the carry is added to the source */
    uint64_t constant;
};
struct inline_meaning inline_means(const struct machine_instruction *i);

/* The place of an instruction in a copy that a call of ours stands before (or, `after`, behind). */
struct inline_site {
    /* Read by inline_enter.S: nonzero if some of them matter after the instruction */
    uint64_t saves_vectors;
    uint64_t self, pc; /* what the copy pushes: the site, and where the original goes on */
    uint64_t enter;    /* inline_enter */
    struct machine_instruction code;
    struct inline_meaning means;
    /* Registers that no call preserves, and that matter: those read here or later */
    uint64_t live;
    bool unsure; /* some of these may hold anything */
    /* Its operand is the compiler's own place in the frame: no other thread knows it */
    bool private;
    bool after; /* the instruction has been run */
    bool compiled;
};

/* What inline_enter saves, as it lies on the stack, and what the copy has pushed before. */
struct inline_context {
    uint64_t registers[16]; /* as machine code numbers them; rsp as the program sees it */
    uint64_t flags;
    uint64_t back;
    const struct inline_site *site;
    uint64_t pc;
    char red_zone[128];
};

/* A piece of inline assembly. */
struct inline_block {
    char *mark; /* INLINE_MARK bytes, the instructions behind it */
    uint32_t length;
    VEC(struct machine_instruction) code;
    bool understood;
    bool alone; /* not part of a function of C: between its labels there may be data */
    /* The compiler's, which does not announce it: a plain access of the source */
    bool compiled;
};
enum { INLINE_MARK = 16 };

/* Before the first execution: finds all pieces, copies them, redirects the marks. */
void inline_prepare(struct worker_shared *shared);

/* A place in a copy: the original instruction there. Others stay as they are. */
const void *inline_original(const void *pc);
/* Has the program jumped into the middle of a piece that was copied? */
bool inline_is_trapped(const void *pc);

/* Copies a piece to `*at` and on, which ends before `end`; sites likewise. */
struct inline_room {
    char *at, *end;
    struct inline_site *sites, *sites_end;
    bool fences; /* locked instructions are followed by a fence */
};
bool inline_copy(struct inline_block *b, struct inline_room *room);

/* Where an instruction went. */
struct inline_moved {
    const char *from, *to;
};
void inline_note_moved(struct inline_moved moved);

/* Which registers that no call preserves matter at this instruction, and which of these only because it is not known what
 * becomes of them. */
uint64_t inline_find_live(uint64_t address, uint64_t *unsure);
/* The function around an instruction, by its unwind table. */
bool inline_find_function(uint64_t address, uint64_t *from, uint64_t *to);
/* Which of them may hold something of the program's there: not what a call on every path has left. */
uint64_t inline_find_kept(uint64_t address);
/* The function of another library that is called: does it return nothing? 0: the call stays in the program. */
uint64_t inline_find_callee(const struct machine_instruction *d);
bool inline_returns_nothing(uint64_t function);

/* Is the operand a place in the frame that only the compiler knows of? */
bool inline_is_private(const struct machine_instruction *d, const struct inline_block *blocks, size_t count);

/* Called by a copy, with the stack as struct inline_context has it; calls inline_step. `vectors`: as xsave keeps them, if
 * they matter, else null. */
void inline_enter(void);
enum { INLINE_VECTORS = 2688 };
void inline_step(struct inline_context *c, const struct inline_site *s, const char *vectors);

#endif
