/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_buffers.h"

#include <string.h>

enum { SEQ_CST = 5 }; /* as compilers pass memory orders */

/* --- the thread's own view ------------------------------------------------------------------------------------------ */

/* What memory had where the buffer is shown. */
static struct {
    uint64_t bytes;
    uint8_t written[PROVE_WORD];
} below[PROVE_BUFFER_MAX];

static bool is_in_arena(uint64_t address)
{
    return address - prove.state.dialect->arena < PROVE_ARENA_BYTES;
}

void prove_buffer_show(unsigned thread)
{
    const struct prove_buffer *b = prove_buffer_of(thread);
    for (uint32_t i = 0; i < b->count; i++) {
        const struct prove_store *s = &b->stores[i];
        memcpy(&below[i].bytes, (void *)s->address, s->size);
        memcpy((void *)s->address, &s->value, s->size);
        if (!is_in_arena(s->address))
            continue;
        memcpy(below[i].written, prove_shadow(s->address), s->size);
        memset(prove_shadow(s->address), 1, s->size);
    }
}

void prove_buffer_hide(unsigned thread)
{
    const struct prove_buffer *b = prove_buffer_of(thread);
    for (uint32_t i = b->count; i-- > 0;) {
        const struct prove_store *s = &b->stores[i];
        memcpy((void *)s->address, &below[i].bytes, s->size);
        if (is_in_arena(s->address))
            memcpy(prove_shadow(s->address), below[i].written, s->size);
    }
}

/* --- what goes there ------------------------------------------------------------------------------------------------ */

static bool is_used(void)
{
    return prove.shared->question.tso && prove.is_searching;
}

/* Stacks and thread-local variables are local to a thread; so is a new block, as long as no earlier store may lead others to it. */
static bool is_noticed(unsigned thread, uint64_t address, uint64_t size)
{
    if (prove_is_on_stacks(prove.state.dialect, address) ||
        address - (uint64_t)prove.program.tls < prove.program.tls_size)
        return false;
    enum prove_where where = prove_find(thread, address, size, true);
    return where == PROVE_SHARED || (where == PROVE_OWN && prove_buffer_of(thread)->count);
}

bool prove_buffer_takes(unsigned thread)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned kind = prove_kind(r->hook), size = prove_size(r->hook);
    bool is_range = kind == PROVE_WRITE_RANGE;
    bool is_store = kind == PROVE_STORE && size <= PROVE_WORD && r->arguments[2] != SEQ_CST;
    if (!is_used() || (kind != PROVE_WRITE && !is_store && !is_range))
        return false;
    uint64_t bytes = is_range ? r->arguments[1] : size;
    return bytes && bytes <= PROVE_WORD && is_noticed(thread, r->arguments[0], bytes);
}

/* Instructions with a lock prefix, fences, and functions that have such. */
static bool needs_empty(unsigned thread)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned kind = prove_kind(r->hook);
    if (kind == PROVE_CAS && prove_find(thread, r->arguments[1], prove_size(r->hook), true) != PROVE_OWN)
        return false; /* what it expects is read before */
    if (kind == PROVE_FENCE)
        return r->arguments[0] == SEQ_CST;
    if (kind == PROVE_STORE)
        return r->arguments[2] == SEQ_CST || prove_size(r->hook) > PROVE_WORD;
    return (kind > PROVE_STORE && kind <= PROVE_CAS_VALUE) || kind == PROVE_CAS_LOADED ||
           kind == PROVE_CAS_FAILED || (kind >= PROVE_LOCK && kind <= PROVE_LOCK_DESTROY) ||
           prove_is_about_condition(kind) ||
           (kind >= PROVE_MALLOC && kind <= PROVE_FREE && prove.program.frees) || r->hook == PROVE_RETURNED;
}

bool prove_buffer_delays(unsigned thread)
{
    const struct prove_buffer *b = prove_buffer_of(thread);
    if (!b->count)
        return false;
    if (b->count == PROVE_BUFFER_MAX && prove_buffer_takes(thread)) {
        prove.shared->buffers_were_full = true;
        return true;
    }
    return needs_empty(thread);
}

/* --- what is not supported ------------------------------------------------------------------------------------------ */

/* A read of a part of what was stored, or of more than that, waits on some machines and not on others. */
static bool reads_part(const struct prove_buffer *b, uint64_t address, uint64_t size)
{
    for (uint32_t i = b->count; i-- > 0;) {
        const struct prove_store *s = &b->stores[i];
        if (address >= s->address && address + size <= s->address + s->size)
            return false;
        if (address < s->address + s->size && s->address < address + size)
            return true;
    }
    return false;
}

static bool is_wide_write(unsigned thread, const struct prove_registers *r)
{
    unsigned kind = prove_kind(r->hook);
    bool is_copy = kind == PROVE_COPY || kind == PROVE_FILL;
    uint64_t size = is_copy                     ? r->arguments[2]
                    : kind == PROVE_WRITE_RANGE ? r->arguments[1]
                                                : prove_size(r->hook);
    if (!is_copy && kind != PROVE_WRITE && kind != PROVE_WRITE_RANGE)
        return false;
    return size && (is_copy || size > PROVE_WORD) && is_noticed(thread, r->arguments[0], size);
}

bool prove_buffer_is_unsure(unsigned thread)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned kind = prove_kind(r->hook);
    bool is_read = kind == PROVE_READ || kind == PROVE_LOAD || kind == PROVE_READ_RANGE;
    uint64_t size = kind == PROVE_READ_RANGE ? r->arguments[1] : prove_size(r->hook);
    if (!is_used())
        return false;
    const struct prove_buffer *b = prove_buffer_of(thread);
    if ((is_read && reads_part(b, r->arguments[0], size)) ||
        (kind == PROVE_CAS && reads_part(b, r->arguments[1], size)) ||
        (kind == PROVE_COPY && reads_part(b, r->arguments[1], r->arguments[2])))
        prove_note(PROVE_UNSURE, "a read of a part of what a store in the buffer wrote");
    else if (is_wide_write(thread, r))
        prove_note(PROVE_UNSURE, "stores of more than 8 bytes, or by memcpy and memset, to memory that "
                                 "threads may share, with tso");
    else
        return false;
    return true;
}

/* --- steps ----------------------------------------------------------------------------------------------------------- */

void prove_buffer_add(unsigned thread, uint64_t address, uint64_t value, unsigned size)
{
    struct prove_buffer *b = &prove.state.threads[thread].buffer;
    uint64_t mask = size < PROVE_WORD ? (UINT64_C(1) << 8 * size) - 1 : UINT64_MAX;
    b->stores[b->count++] = (struct prove_store){.address = address, .value = value & mask, .size = size};
}

struct prove_result prove_buffer_step(unsigned thread)
{
    struct prove_thread *t = &prove.state.threads[thread];
    struct prove_buffer *b = &t->buffer;
    if (!b->count)
        return (struct prove_result){.outcome = PROVE_BLOCKED};
    prove.acting = thread;
    struct prove_store s = b->stores[0];
    memmove(b->stores, b->stores + 1, --b->count * sizeof *b->stores);
    b->stores[b->count] = (struct prove_store){0};
    enum prove_where where = prove_find(thread, s.address, s.size, true);
    if (where > PROVE_SHARED)
        return (struct prove_result){.outcome = where == PROVE_BAD ? PROVE_FAULT : PROVE_UNSURE};
    memcpy((void *)s.address, &s.value, s.size);
    prove_note_write(s.address, s.size);
    if (where == PROVE_SHARED)
        prove_look_at_written(thread, s.address, s.size);
    if (b->count || t->registers.hook != PROVE_RETURNED)
        return (struct prove_result){0};
    return prove_end_operation(thread);
}
