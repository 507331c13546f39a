/* SPDX-License-Identifier: Apache-2.0 */
/* Which bits of stacks and of the heap were never given a value, in programs that plumb-instrument compiled: shadow memory at a fixed
 * distance, a set bit for each undefined one (Stepanov and Serebryany, MemorySanitizer, CGO 2015). All other memory counts as
 * defined. docs/internals/engine/memory_states.md */
#ifndef ENGINE_UNDEFINED_BITS_H
#define ENGINE_UNDEFINED_BITS_H

#include "engine/engine.h"
#include "engine/fiber/fiber.h"

#define UNDEFINED_DISTANCE UINT64_C(0x200000000000) /* where nothing else lies: mappings.h */

/* How many bytes from HEAP_BASE and from FIBER_BASE on have a shadow; 0: nothing asks for it. */
extern uint64_t undefined_heap ENGINE_HIDDEN, undefined_stacks ENGINE_HIDDEN;
extern bool undefined_some ENGINE_HIDDEN; /* something was undefined since all was forgotten */

static inline bool undefined_is_tracked(uint64_t address)
{
    if (__builtin_expect((address - FIBER_BASE) >> 40 > 1, true)) /* neither a stack nor the heap */
        return false;
    return address - HEAP_BASE < undefined_heap || address - FIBER_BASE < undefined_stacks;
}

static inline void *undefined_shadow(uint64_t address)
{
    return (void *)(address - UNDEFINED_DISTANCE);
}

void undefined_watch(void); /* some code of the program asks what is defined */

/* Undefined bits that an access of 1, 2, 4 or 8 bytes finds. */
uint64_t undefined_found(uint64_t address, uint64_t shadow, const void *pc);
static inline __attribute__((always_inline)) uint64_t undefined_read(uint64_t address, size_t size,
                                                                     const void *pc)
{
    uint64_t shadow = 0;
    if (undefined_is_tracked(address))
        __builtin_memcpy(&shadow, undefined_shadow(address), size);
    return __builtin_expect(shadow != 0, false) ? undefined_found(address, shadow, pc) : 0;
}

/* Bytes that get a value, one that has undefined bits, or those of others. */
void undefined_write_many(uint64_t address, size_t size);
static inline __attribute__((always_inline)) void undefined_write(uint64_t address, size_t size)
{
    if (!undefined_is_tracked(address))
        return;
    if (__builtin_constant_p(size) && size <= 16)
        __builtin_memset(undefined_shadow(address), 0, size);
    else
        undefined_write_many(address, size);
}
void undefined_store(uint64_t address, uint64_t shadow, size_t size);
void undefined_copy(uint64_t to, uint64_t from, size_t size);
/* For copies that are announced in between, which may overlap: the shadow of what is copied, or NULL if all of it is defined. */
uint8_t *undefined_keep(uint64_t from, size_t size);
void undefined_put(uint64_t to, uint8_t *kept, size_t size);
void undefined_declare(uint64_t address, size_t size); /* nothing was written there yet */

static inline uint8_t undefined_bits(uint64_t address)
{
    return undefined_is_tracked(address) ? *(const uint8_t *)undefined_shadow(address) : 0;
}

/* Does a range have undefined bytes that cannot be padding of a structure? */
bool undefined_is_no_padding(uint64_t address, size_t size);

/* The first byte in the range that is not defined, or 0. */
uint64_t undefined_first(uint64_t address, size_t size);

void undefined_drop_below(uint32_t thread, uint64_t sp); /* functions have returned */
void undefined_forget(void);                             /* all of it may have been written unseen */
void undefined_reset(void);                              /* an execution begins */

/* `what` depends on what was read last, or on a part of the range. */
_Noreturn void undefined_fail(const char *what, uint64_t address, const void *pc);
void undefined_fail_last(const char *what, const void *pc);

#endif
