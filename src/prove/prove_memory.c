/* SPDX-License-Identifier: Apache-2.0 */
/* The program's memory: an arena for its blocks, a stack for each thread, and what may be accessed where. */
#include "prove/prove.h"

#include "base/check.h"
#include "base/memory.h"
#include "prove/prove_unseen.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Addresses of twins have other bits, from the fourth and fifth on, which malloc leaves open, to those of the arena, each of which is the other way
 * round. */
const struct prove_dialect prove_dialects[3] = {
    {.arena = 0x1a5a5a500000ULL,
     .stacks = 0x1b2c34000000ULL,
     .item_base = 0x0b000000,
     .item_stride = 0x10305,
     .unwritten = 0xa1,
     .litter = 0xa1},
    {.arena = 0x65a5a5a00000ULL,
     .stacks = 0x64d3c8001000ULL,
     .shift = PROVE_SHIFT_MAX,
     .item_base = 0x0d000000,
     .item_stride = 0x10507,
     .is_reversed = true,
     .unwritten = 0xc7,
     .garbage = 0xc7,
     .litter = 0xc7},
    {.arena = 0x65a5a5a00000ULL,
     .stacks = 0x64d3c8001000ULL,
     .shift = PROVE_SHIFT_MAX,
     .item_base = 0x0d000000,
     .item_stride = 0x10507,
     .is_reversed = true,
     .unwritten = 0xc7,
     .garbage = 0xc7},
};

static uint8_t shadows[2][PROVE_ARENA_BYTES];

static void map_at(uint64_t address, size_t size)
{
    void *got = mmap((void *)address, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED && errno == ENOMEM)
        base_out_of_memory();
    if (got != (void *)address)
        prove_refuse("the memory at %#llx, where blocks are kept, is not free", (unsigned long long)address);
}

void prove_memory_open(void)
{
    for (unsigned i = 0; i < 2; i++)
        map_at(prove_dialects[i].arena, PROVE_ARENA_BYTES);
    for (unsigned t = 1; t <= 2 * PROVE_THREADS_MAX; t++)
        map_at(prove_dialects[t % 2].stacks + (uint64_t)(t + 1) / 2 * PROVE_STACK_BYTES - PROVE_STACK_MAPPED,
               PROVE_STACK_MAPPED);
    prove.state.dialect = &prove_dialects[0];
    prove.state.next = prove.state.dialect->arena + PROVE_LINE;
}

uint8_t *prove_shadow(uint64_t address)
{
    const struct prove_dialect *d = prove.state.dialect;
    return shadows[d != prove_dialects] + (address - d->arena);
}

/* --- blocks ---------------------------------------------------------------------------------------------------- */

static void make_new(struct prove_block *b, unsigned thread)
{
    b->freed = false;
    b->owner = prove.is_searching ? (uint8_t)(thread + 1) : 0;
    memset((void *)b->address, prove.state.dialect->unwritten, b->size);
    memset(prove_shadow(b->address), 0, b->size);
}

static void note_allocation(const struct prove_block *b, unsigned thread)
{
    struct prove_shared *s = prove.shared;
    uint64_t pc = prove.state.threads[thread].registers.pc;
    if (s->question.mode != PROVE_REPLAY || s->allocation_count >= PROVE_ALLOCATIONS_MAX)
        return;
    s->allocations[s->allocation_count++] =
        (struct prove_allocation){b->address, b->size, pc > prove.program.base ? pc - prove.program.base : 0};
}

struct prove_block *prove_block_new(uint64_t size, uint64_t alignment, unsigned thread)
{
    struct prove_state *s = &prove.state;
    if (s->block_count == PROVE_BLOCKS_MAX || size > PROVE_ARENA_BYTES / 4 || alignment > PROVE_LINE ||
        s->next + prove_room_of(size) > s->dialect->arena + PROVE_ARENA_BYTES ||
        (s->dialect->is_reversed &&
         s->next + prove_room_of(size) > s->dialect->arena + PROVE_ARENA_BYTES / 4 * 3))
        return NULL;
    struct prove_block *b = &s->blocks[s->block_count++];
    bool is_aligned = alignment > PROVE_MALLOC_ALIGNMENT;
    *b = (struct prove_block){.address = s->next + (is_aligned ? 0 : s->dialect->shift),
                              .size = size ? (uint32_t)size : 1,
                              .is_aligned = is_aligned,
                              .serial = s->serials++};
    s->next += prove_room_of(b->size);
    make_new(b, thread);
    note_allocation(b, thread);
    return b;
}

void prove_block_reuse(struct prove_block *b, unsigned thread)
{
    make_new(b, thread);
    b->owner = 0; /* its address is known to others */
}

struct prove_block *prove_block_at(uint64_t address)
{
    struct prove_state *s = &prove.state;
    for (uint32_t i = 0; i < s->block_count; i++)
        if (address - s->blocks[i].address <= s->blocks[i].size)
            return &s->blocks[i];
    return NULL;
}

unsigned prove_reusable(uint64_t size, uint64_t alignment, uint32_t *list)
{
    const struct prove_state *s = &prove.state;
    unsigned count = 0;
    for (uint32_t i = 0; i < s->block_count; i++)
        if (s->blocks[i].freed && s->blocks[i].size == (size ? size : 1) &&
            (s->blocks[i].is_aligned || alignment <= PROVE_MALLOC_ALIGNMENT))
            list[count++] = i;
    return count;
}

void prove_publish(unsigned thread)
{
    struct prove_state *s = &prove.state;
    for (uint32_t i = 0; i < s->block_count; i++)
        if (s->blocks[i].owner == thread + 1)
            s->blocks[i].owner = 0;
}

/* --- addresses -------------------------------------------------------------------------------------------------- */

static bool is_within(uint64_t address, uint64_t size, uint64_t start, uint64_t length)
{
    return address >= start && address - start <= length && size <= length - (address - start);
}

static enum prove_where find_in_arena(unsigned thread, uint64_t address, uint64_t size)
{
    const struct prove_block *b = prove_block_at(address);
    if (!b || !is_within(address, size, b->address, b->size)) {
        prove_note(PROVE_FAULT, "an access outside of the block of memory that it belongs to");
        return PROVE_BAD;
    }
    if (b->freed) {
        prove_note(PROVE_FAULT, "an access to memory that was freed");
        return PROVE_BAD;
    }
    return b->owner == thread + 1 ? PROVE_OWN : PROVE_SHARED;
}

/* Writers and readers besides the thread. */
static uint8_t others_of(uint8_t uses, unsigned thread)
{
    return (uint8_t)(uses & ~(0x11u << thread));
}

static bool is_noticed(uint8_t uses, unsigned thread, bool write)
{
    return others_of(uses, thread) & (write ? PROVE_WRITERS | PROVE_READERS : PROVE_WRITERS);
}

static unsigned only_user(uint8_t uses)
{
    for (unsigned t = 0; t < PROVE_THREADS_MAX && uses; t++)
        if (!others_of(uses, t))
            return t + 1;
    return 0;
}

unsigned prove_user_of(uint64_t address)
{
    return only_user(prove.program.uses[(address - (uint64_t)prove.program.globals) / PROVE_WORD]);
}

/* Were steps other ones, or blocks those of others, if these were the uses? */
static bool differ(uint8_t guess, uint8_t now)
{
    if (only_user(guess) && only_user(guess) != only_user(now))
        return true;
    for (unsigned t = 0; t < PROVE_THREADS_MAX; t++)
        if ((now >> t & 1 && is_noticed(guess, t, true) != is_noticed(now, t, true)) ||
            (now >> t & 0x10 && is_noticed(guess, t, false) != is_noticed(now, t, false)))
            return true;
    return false;
}

static void note_uses(uint64_t address, uint64_t size, uint8_t uses)
{
    struct prove_program *p = &prove.program;
    uint64_t first = (address - (uint64_t)p->globals) / PROVE_WORD,
             last = (address + size - 1 - (uint64_t)p->globals) / PROVE_WORD;
    for (uint64_t i = first; i <= last; i++) {
        p->new_uses[i] |= uses;
        p->has_new_uses |= differ(p->uses[i], p->uses[i] | p->new_uses[i]);
    }
}

static enum prove_where find_in_globals(unsigned thread, uint64_t address, uint64_t size, bool write)
{
    const struct prove_program *p = &prove.program;
    if (write && !p->tells_threads)
        return PROVE_SHARED;
    uint64_t first = (address - (uint64_t)p->globals) / PROVE_WORD,
             last = (address + size - 1 - (uint64_t)p->globals) / PROVE_WORD;
    for (uint64_t i = first; i <= last; i++)
        if (is_noticed(p->uses[i], thread, write))
            return PROVE_SHARED;
    if (p->doubts_constants)
        note_uses(address, size, PROVE_WRITERS | PROVE_READERS);
    return PROVE_OWN;
}

static enum prove_where find_on_stacks(unsigned thread, uint64_t address, uint64_t size)
{
    if (is_within(address, size, prove_stack_base(thread), PROVE_STACK_BYTES))
        return PROVE_OWN;
    prove_note(PROVE_UNSURE, "a thread uses variables on the stack of another one");
    return PROVE_ODD;
}

enum prove_where prove_find(unsigned thread, uint64_t address, uint64_t size, bool write)
{
    const struct prove_program *p = &prove.program;
    if (is_within(address, size, (uint64_t)p->globals, p->globals_size))
        return find_in_globals(thread, address, size, write);
    if (is_within(address, 1, prove.state.dialect->arena, PROVE_ARENA_BYTES))
        return find_in_arena(thread, address, size);
    if (prove_is_on_stacks(prove.state.dialect, address))
        return find_on_stacks(thread, address, size);
    if (p->tls_size && is_within(address, size, (uint64_t)p->tls, p->tls_size))
        return PROVE_OWN;
    enum { NULL_PAGE = 4096 };
    if (address < NULL_PAGE) {
        prove_note(PROVE_FAULT, "an access by a null pointer");
        return PROVE_BAD;
    }
    if (!write && is_within(address, size, p->base, (uint64_t)p->globals - p->base))
        return PROVE_OWN; /* constants */
    if (!write && is_within(address, size, (uint64_t)prove_arguments, sizeof prove_arguments))
        return PROVE_OWN;
    enum { ADDRESS_BITS = 56 }; /* of any process, at most */
    bool exists = address >> ADDRESS_BITS == 0;
    prove_note(PROVE_UNSURE, "an access to memory that %s (%#llx)",
               exists ? "is not the program's" : "no process has", (unsigned long long)address);
    return exists ? PROVE_ODD : PROVE_BAD;
}

static bool is_in_arena(uint64_t address)
{
    return address - prove.state.dialect->arena < PROVE_ARENA_BYTES;
}

bool prove_is_initialised(uint64_t address, uint64_t size)
{
    for (uint64_t i = 0; i < size && is_in_arena(address); i++)
        if (!prove_shadow(address)[i])
            return false;
    return true;
}

bool prove_meets_poison(uint64_t address, uint64_t size)
{
    bool met = false;
    for (uint64_t at = address & ~(uint64_t)(PROVE_WORD - 1); at < address + size; at += PROVE_WORD)
        met |= *(uint64_t *)at == PROVE_POISON;
    if (met)
        prove_note(PROVE_UNSURE, "threads walk along nodes that were removed long ago: raise --distance");
    prove.met_poison |= met;
    return met;
}

static bool is_in_globals(uint64_t address, uint64_t size)
{
    return size && prove.is_searching &&
           is_within(address, size, (uint64_t)prove.program.globals, prove.program.globals_size);
}

void prove_note_write(uint64_t address, uint64_t size)
{
    prove_unseen_announce(address, size);
    if (is_in_arena(address))
        memset(prove_shadow(address), 1, size);
    else if (is_in_globals(address, size))
        note_uses(address, size, prove.program.tells_threads ? (uint8_t)(1u << prove.acting) : PROVE_WRITERS);
}

void prove_note_read(uint64_t address, uint64_t size)
{
    if (prove.program.tells_threads && is_in_globals(address, size))
        note_uses(address, size, (uint8_t)(0x10u << prove.acting));
}
