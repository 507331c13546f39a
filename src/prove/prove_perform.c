/* SPDX-License-Identifier: Apache-2.0 */
/* What threads are about to do, and doing it. The compiled code makes plain accesses itself, right after the hook. */
#include "prove/prove_buffers.h"

#include <pthread.h>
#include <string.h>

/* --- atomic accesses --------------------------------------------------------------------------------------------- */

typedef unsigned __int128 wide;

static wide load(uint64_t address, unsigned size)
{
    wide v = 0;
    memcpy(&v, (void *)address, size);
    return v;
}

static void store(uint64_t address, wide value, unsigned size)
{
    memcpy((void *)address, &value, size);
}

static bool is_arena_word(uint64_t word)
{
    enum { TAG_BITS = 16 };
    word = word << TAG_BITS >> TAG_BITS;
    return word - prove.state.dialect->arena < PROVE_ARENA_BYTES;
}

void prove_look_at_written(unsigned thread, uint64_t address, unsigned size)
{
    uint64_t first = address & ~(uint64_t)(PROVE_WORD - 1);
    for (uint64_t at = first; at < address + size; at += PROVE_WORD)
        if (is_arena_word(*(uint64_t *)at))
            prove_publish(thread);
}

/* An allocator may leave anything in a new block: what is there in this run is as good as anything else. False: before the search
 * begins, where that is not supported. */
static bool look_at_initialised(uint64_t address, uint64_t size)
{
    static const char unwritten[] = "memory is read that was never written";
    if (prove_is_initialised(address, size))
        return true;
    if (prove.is_searching)
        prove_note_doubt(unwritten);
    else
        prove_note(PROVE_UNSURE, "%s", unwritten);
    return prove.is_searching;
}

/* Arguments of 16 bytes are in two registers. */
static wide argument(const struct prove_registers *r, unsigned number, unsigned size)
{
    if (size < 16)
        return r->arguments[number];
    unsigned at = 1 + (number - 1) * 2;
    return r->arguments[at] | (wide)r->arguments[at + 1] << 64;
}

static wide combine(unsigned kind, wide old, wide operand)
{
    switch (kind) {
    case PROVE_ADD: return old + operand;
    case PROVE_SUB: return old - operand;
    case PROVE_AND: return old & operand;
    case PROVE_OR: return old | operand;
    case PROVE_XOR: return old ^ operand;
    case PROVE_NAND: return ~(old & operand);
    default: return operand;
    }
}

/* compare_exchange(address, expected *, desired): false also writes what it found. */
static wide compare_exchange(const struct prove_registers *r, unsigned size, bool *wrote)
{
    uint64_t address = r->arguments[0], expected = r->arguments[1];
    wide old = load(address, size), wanted = load(expected, size);
    wide desired = size < 16 ? r->arguments[2] : r->arguments[2] | (wide)r->arguments[3] << 64;
    *wrote = old == wanted;
    if (*wrote) {
        store(address, desired, size);
        return 1;
    }
    store(expected, old, size);
    prove_note_write(expected, size);
    return 0;
}

static wide compare_exchange_value(const struct prove_registers *r, unsigned size, bool *wrote)
{
    wide old = load(r->arguments[0], size), mask = size < 16 ? ((wide)1 << 8 * size) - 1 : ~(wide)0;
    *wrote = old == (argument(r, 1, size) & mask);
    if (*wrote)
        store(r->arguments[0], argument(r, 2, size), size);
    return old;
}

static enum prove_outcome load_expected(unsigned thread)
{
    struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned size = prove_size(r->hook);
    enum prove_where where = prove_find(thread, r->arguments[1], size, true);
    if (where > PROVE_SHARED)
        return where == PROVE_BAD ? PROVE_FAULT : PROVE_UNSURE;
    if (size > PROVE_WORD)
        return prove_note(PROVE_UNSURE,
                          "what a compare and swap of 16 bytes expects is in memory that threads share");
    if (!look_at_initialised(r->arguments[1], size) || prove_meets_poison(r->arguments[1], size))
        return PROVE_UNSURE;
    prove_note_read(r->arguments[1], size);
    r->arguments[3] = (uint64_t)load(r->arguments[1], size);
    r->hook = (uint64_t)PROVE_ID(PROVE_CAS_LOADED, r->hook & 7);
    return PROVE_PARTLY;
}

static enum prove_outcome exchange_loaded(unsigned thread, uint64_t *rax)
{
    struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned size = prove_size(r->hook);
    if (prove_meets_poison(r->arguments[0], size))
        return PROVE_UNSURE;
    uint64_t old = (uint64_t)load(r->arguments[0], size);
    if (old != r->arguments[3]) {
        r->arguments[3] = old;
        r->hook = (uint64_t)PROVE_ID(PROVE_CAS_FAILED, r->hook & 7);
        return PROVE_PARTLY;
    }
    store(r->arguments[0], r->arguments[2], size);
    prove_note_write(r->arguments[0], size);
    prove_look_at_written(thread, r->arguments[0], size);
    *rax = 1;
    return PROVE_FINE;
}

static enum prove_outcome store_found(unsigned thread)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned size = prove_size(r->hook);
    if (prove.shared->question.tso && prove.is_searching) {
        prove_buffer_add(thread, r->arguments[1], r->arguments[3], size);
        return PROVE_FINE;
    }
    store(r->arguments[1], r->arguments[3], size);
    prove_note_write(r->arguments[1], size);
    prove_look_at_written(thread, r->arguments[1], size);
    return PROVE_FINE;
}

static enum prove_outcome perform_atomic(unsigned thread, uint64_t *rax, uint64_t *rdx)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned kind = prove_kind(r->hook), size = prove_size(r->hook);
    uint64_t address = r->arguments[0];
    bool wrote = kind != PROVE_LOAD;
    if (prove_buffer_takes(thread)) {
        prove_buffer_add(thread, address, r->arguments[1], size);
        return PROVE_FINE;
    }
    if (kind == PROVE_CAS && prove_find(thread, r->arguments[1], size, true) != PROVE_OWN)
        return load_expected(thread);
    if (kind != PROVE_STORE && (!look_at_initialised(address, size) || prove_meets_poison(address, size)))
        return PROVE_UNSURE;
    if (kind == PROVE_CAS && !look_at_initialised(r->arguments[1], size))
        return PROVE_UNSURE;
    if (kind == PROVE_CAS)
        prove_note_read(r->arguments[1], size);
    wide result = kind == PROVE_STORE ? 0 : load(address, size);
    if (kind == PROVE_CAS)
        result = compare_exchange(r, size, &wrote);
    else if (kind == PROVE_CAS_VALUE)
        result = compare_exchange_value(r, size, &wrote);
    else if (kind != PROVE_LOAD)
        store(address, combine(kind, result, argument(r, 1, size)), size);
    *rax = (uint64_t)result;
    *rdx = (uint64_t)(result >> 64);
    if (wrote)
        prove_note_write(address, size);
    if (wrote && prove_find(thread, address, size, true) == PROVE_SHARED)
        prove_look_at_written(thread, address, size);
    return PROVE_FINE;
}

/* --- plain accesses ------------------------------------------------------------------------------------------------ */

/* Others are several instructions. */
static bool is_one_access(uint64_t size)
{
    return size <= PROVE_WORD && !(size & (size - 1));
}

static enum prove_outcome perform_plain(unsigned thread, bool write, uint64_t size, bool is_range)
{
    uint64_t address = prove.state.threads[thread].registers.arguments[0];
    if (prove_buffer_takes(thread)) {
        prove.stored.address = address;
        prove.stored.size = (unsigned)size;
        prove.stored.is_buffered = true;
        return PROVE_FINE;
    }
    if (prove.is_searching && !is_one_access(size) &&
        prove_find(thread, address, size, write) == PROVE_SHARED)
        return prove_note(PROVE_UNSURE, "an access of %llu bytes at once to memory that threads share",
                          (unsigned long long)size);
    if (!write && ((!is_range && !look_at_initialised(address, size)) || prove_meets_poison(address, size)))
        return PROVE_UNSURE;
    if (write) {
        prove_note_write(address, size);
        prove.stored.address = address;
        prove.stored.size = (unsigned)size;
    }
    return PROVE_FINE;
}

static enum prove_outcome perform_copy(unsigned thread, const uint64_t *a)
{
    bool is_fill = prove_kind(prove.state.threads[thread].registers.hook) == PROVE_FILL;
    enum prove_where to = prove_find(thread, a[0], a[2], true),
                     from = is_fill ? PROVE_OWN : prove_find(thread, a[1], a[2], false);
    if (to > PROVE_SHARED || from > PROVE_SHARED)
        return to == PROVE_BAD || from == PROVE_BAD ? PROVE_FAULT : PROVE_UNSURE;
    bool meets_threads = prove.is_searching && (to == PROVE_SHARED || from == PROVE_SHARED);
    if (meets_threads && a[2] > PROVE_WORD)
        return prove_note(PROVE_UNSURE, "%llu bytes that threads share are copied or filled at once",
                          (unsigned long long)a[2]);
    if (meets_threads && to == from)
        return prove_note(PROVE_UNSURE, "memory that threads share is copied to memory that they share");
    if (!is_fill && !prove_is_initialised(a[1], a[2]))
        return prove_note(PROVE_UNSURE, "memory is copied that was never written");
    if (!is_fill && prove_meets_poison(a[1], a[2]))
        return PROVE_UNSURE;
    prove_note_write(a[0], a[2]);
    if (!is_fill)
        prove_note_read(a[1], a[2]);
    if (is_fill)
        memset((void *)a[0], (int)a[1], a[2]);
    else
        memmove((void *)a[0], (void *)a[1], a[2]);
    if (to == PROVE_SHARED)
        prove_look_at_written(thread, a[0], (unsigned)a[2]);
    return PROVE_FINE;
}

/* --- memory --------------------------------------------------------------------------------------------------------- */

static uint64_t allocation_size(const struct prove_registers *r)
{
    uint64_t size;
    switch (prove_kind(r->hook)) {
    case PROVE_CALLOC:
        return __builtin_mul_overflow(r->arguments[0], r->arguments[1], &size) ? UINT64_MAX : size;
    case PROVE_ALIGNED: return r->arguments[1];
    default: return r->arguments[0];
    }
}

static uint64_t allocation_alignment(const struct prove_registers *r)
{
    return prove_kind(r->hook) == PROVE_ALIGNED ? r->arguments[0] : PROVE_MALLOC_ALIGNMENT;
}

static enum prove_outcome perform_malloc(unsigned thread, struct prove_block *b, uint64_t *rax)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned kind = prove_kind(r->hook);
    if (b)
        prove_block_reuse(b, thread);
    else
        b = prove_block_new(allocation_size(r), allocation_alignment(r), thread);
    if (!b)
        return prove_note(PROVE_UNSURE, "more memory is in use at a time than is kept in a state");
    if (kind == PROVE_CALLOC) {
        memset((void *)b->address, 0, b->size);
        prove_note_write(b->address, b->size);
    }
    *rax = b->address;
    return PROVE_FINE;
}

static enum prove_outcome perform_free(uint64_t address)
{
    if (!address)
        return PROVE_FINE;
    struct prove_block *b = prove_block_at(address);
    if (!b || b->address != address)
        return prove_note(PROVE_FAULT, "free of an address that is not that of a block");
    if (b->freed)
        return prove_note(PROVE_FAULT, "a block of memory is freed twice");
    b->freed = true;
    return PROVE_FINE;
}

/* --- all ------------------------------------------------------------------------------------------------------------ */

struct prove_reach prove_reach_of(const struct prove_registers *r)
{
    unsigned kind = prove_kind(r->hook);
    if (kind == PROVE_READ || kind == PROVE_LOAD)
        return (struct prove_reach){r->arguments[0], prove_size(r->hook), false};
    if (kind == PROVE_READ_RANGE || kind == PROVE_WRITE_RANGE)
        return (struct prove_reach){r->arguments[0], r->arguments[1], kind == PROVE_WRITE_RANGE};
    if (kind == PROVE_WRITE || (kind >= PROVE_STORE && kind <= PROVE_CAS_VALUE))
        return (struct prove_reach){r->arguments[0], prove_size(r->hook), true};
    if (kind == PROVE_CAS_LOADED || kind == PROVE_CAS_FAILED)
        return (struct prove_reach){r->arguments[kind == PROVE_CAS_FAILED], prove_size(r->hook), true};
    if (kind >= PROVE_LOCK && kind <= PROVE_LOCK_DESTROY)
        return (struct prove_reach){r->arguments[0], sizeof(pthread_mutex_t), true};
    if (prove_is_about_condition(kind))
        return (struct prove_reach){r->arguments[0], sizeof(pthread_cond_t), true};
    return (struct prove_reach){0};
}

static bool is_copy_step(unsigned thread, const uint64_t *a, bool is_fill)
{
    return a[2] && (prove_find(thread, a[0], a[2], true) != PROVE_OWN ||
                    (!is_fill && prove_find(thread, a[1], a[2], false) != PROVE_OWN));
}

bool prove_is_step(unsigned thread)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned kind = prove_kind(r->hook);
    struct prove_reach reach = prove_reach_of(r);
    if (prove_buffer_delays(thread) || prove_buffer_is_unsure(thread))
        return true;
    if (prove_buffer_takes(thread))
        return false;
    if (kind == PROVE_CAS && prove_find(thread, r->arguments[1], prove_size(r->hook), true) != PROVE_OWN)
        return true;
    if (reach.size)
        return prove_find(thread, reach.address, reach.size, reach.write) != PROVE_OWN ||
               prove_is_about_condition(kind);
    if (kind == PROVE_COPY || kind == PROVE_FILL)
        return is_copy_step(thread, r->arguments, kind == PROVE_FILL);
    return kind >= PROVE_MALLOC && kind <= PROVE_FREE && prove.program.frees;
}

unsigned prove_choices(unsigned thread, uint32_t *list)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned kind = prove_kind(r->hook);
    if (kind < PROVE_MALLOC || kind > PROVE_ALIGNED || !prove.program.frees)
        return 0;
    return prove_reusable(allocation_size(r), allocation_alignment(r), list);
}

static enum prove_outcome perform_other(unsigned thread, const struct prove_registers *r)
{
    const uint64_t *a = r->arguments;
    switch (prove_kind(r->hook)) {
    case PROVE_FENCE:
    case PROVE_YIELD: return PROVE_FINE;
    case PROVE_COPY:
    case PROVE_FILL: return a[2] ? perform_copy(thread, a) : PROVE_FINE;
    case PROVE_ABORT: return prove_note(PROVE_FAULT, "the program calls abort");
    case PROVE_ASSERT:
        return prove_note(PROVE_FAULT, "assertion failed: %.120s (%.80s:%u)", (const char *)a[0],
                          (const char *)a[1], (unsigned)a[2]);
    default: return prove_note(PROVE_UNSURE, "it calls %.100s", prove_foreign_name(r->hook));
    }
}

static enum prove_outcome perform(unsigned thread, struct prove_block *reuse, uint64_t *rax, uint64_t *rdx)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned kind = prove_kind(r->hook);
    struct prove_reach reach = prove_reach_of(r);
    *rax = *rdx = 0;
    if (reach.size) {
        enum prove_where where = prove_find(thread, reach.address, reach.size, reach.write);
        if (where > PROVE_SHARED)
            return where == PROVE_BAD ? PROVE_FAULT : PROVE_UNSURE;
        prove_note_read(reach.address, reach.size);
    }
    if (kind == PROVE_READ || kind == PROVE_WRITE || kind == PROVE_READ_RANGE || kind == PROVE_WRITE_RANGE)
        return perform_plain(thread, reach.write, reach.size, kind >= PROVE_READ_RANGE);
    if (kind >= PROVE_LOAD && kind <= PROVE_CAS_VALUE)
        return perform_atomic(thread, rax, rdx);
    if (kind == PROVE_CAS_LOADED)
        return exchange_loaded(thread, rax);
    if (kind == PROVE_CAS_FAILED)
        return store_found(thread);
    if (kind >= PROVE_MALLOC && kind <= PROVE_ALIGNED)
        return perform_malloc(thread, reuse, rax);
    if (kind == PROVE_FREE)
        return perform_free(r->arguments[0]);
    if (kind >= PROVE_LOCK && kind <= PROVE_LOCK_DESTROY)
        return prove_perform_mutex(thread, rax);
    if (prove_is_about_condition(kind))
        return prove_perform_condition(thread, rax);
    if (kind == PROVE_CLOCK)
        return prove_perform_clock(thread);
    if (kind == PROVE_COPY || kind == PROVE_FILL)
        *rax = r->arguments[0];
    return perform_other(thread, r);
}

enum prove_outcome prove_perform(unsigned thread, struct prove_block *reuse, uint64_t *rax, uint64_t *rdx)
{
    if (prove_buffer_is_unsure(thread))
        return PROVE_UNSURE;
    prove.acting = thread;
    /* A store adds to the buffer: the rest of it is what was shown */
    struct prove_buffer *b = &prove.state.threads[thread].buffer;
    uint32_t shown = b->count;
    prove_buffer_show(thread);
    enum prove_outcome outcome = perform(thread, reuse, rax, rdx);
    uint32_t count = b->count;
    b->count = shown;
    prove_buffer_hide(thread);
    b->count = count;
    return outcome;
}
