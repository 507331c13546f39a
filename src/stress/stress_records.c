/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_records.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 8, ITEMS_MOST = 1 << 16 };

static bool fail(struct stress_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct stress_log *log, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(log->problem, sizeof log->problem, format, args);
    va_end(args);
    return false;
}

/* ------------------------------------------------------------------ values */

static bool read_word(const struct stress_log *log, uint64_t at, uint64_t *out)
{
    if (at > log->area.len || log->area.len - at < sizeof *out)
        return false;
    memcpy(out, log->area.data + at, sizeof *out);
    return true;
}

static bool decode(struct stress_log *log, plumb_value word, int depth, plumb_value *out);

/* NOLINTNEXTLINE(misc-no-recursion): DEPTH_MOST */
static bool decode_array(struct stress_log *log, uint64_t at, uint64_t count, int depth, plumb_value *out)
{
    if (count > ITEMS_MOST || count > (log->area.len - at) / sizeof(plumb_value))
        return false;
    OWNED plumb_value *items = NEW_ARRAY(plumb_value, count + 1);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word;
        if (!read_word(log, at + i * sizeof word, &word) || !decode(log, word, depth + 1, &items[i]))
            return false;
    }
    *out = plumb_array(log->values, items, count);
    return true;
}

static bool is_special(plumb_value word)
{
    return word == PLUMB_NONE || word == PLUMB_FALSE || word == PLUMB_TRUE || word == PLUMB_OK ||
           word == PLUMB_ANY;
}

/* NOLINTNEXTLINE(misc-no-recursion): DEPTH_MOST */
static bool decode(struct stress_log *log, plumb_value word, int depth, plumb_value *out)
{
    uint64_t at = word >> 3, first;
    *out = word;
    if (plumb_tag_of(word) == PLUMB_TAG_SMALL || plumb_tag_of(word) == PLUMB_TAG_PAIR)
        return true;
    if (plumb_tag_of(word) == PLUMB_TAG_SPECIAL)
        return is_special(word);
    if (!read_word(log, at, &first) || depth > DEPTH_MOST)
        return false;
    at += sizeof first;
    switch (plumb_tag_of(word)) {
    case PLUMB_TAG_WIDE: *out = plumb_int(log->values, (int64_t)first); return true;
    case PLUMB_TAG_STRING:
        if (first > log->area.len - at)
            return false;
        *out = plumb_string(log->values, log->area.data + at, first);
        return true;
    case PLUMB_TAG_ARRAY: return decode_array(log, at, first, depth, out);
    default: return false;
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): values are not deeper than DEPTH_MOST */
plumb_value stress_value_copy(const struct plumb_values *from, plumb_value v, struct plumb_values *to)
{
    size_t length;
    switch (plumb_tag_of(v)) {
    case PLUMB_TAG_WIDE: return plumb_int(to, plumb_int_of(from, v));
    case PLUMB_TAG_STRING: {
        const char *bytes = plumb_string_of(from, v, &length);
        return plumb_string(to, bytes, length);
    }
    case PLUMB_TAG_ARRAY:
    case PLUMB_TAG_KEYED: {
        length = plumb_array_count(from, v);
        OWNED plumb_value *items = NEW_ARRAY(plumb_value, length + 1);
        for (size_t i = 0; i < length; i++)
            items[i] = stress_value_copy(from, plumb_array_item(from, v, i), to);
        return plumb_array(to, items, length);
    }
    default: return v;
    }
}

/* ------------------------------------------------------------------ records */

/* Copies what the slot has in the bank. */
static bool copy_bank(struct stress_log *log, const struct stress_program *p, uint32_t slot, uint32_t bank)
{
    uint32_t count = __atomic_load_n(&p->shared->slot[slot].counts[bank], __ATOMIC_ACQUIRE);
    uint64_t used = __atomic_load_n(&p->shared->slot[slot].area_used[bank], __ATOMIC_ACQUIRE);
    if (count > p->layout.capacity)
        return fail(log, "thread %u has %u records where there is room for %u", slot, count,
                    p->layout.capacity);
    if (used > p->layout.area_size)
        return fail(log, "thread %u has more values than there is room for", slot);
    vec_reserve(&log->records, count + 1);
    log->records.len = count;
    memcpy(log->records.data, stress_program_records(p, slot, bank), count * sizeof *log->records.data);
    vec_reserve(&log->area, used + 1);
    log->area.len = used;
    memcpy(log->area.data, stress_program_area(p, slot, bank), used);
    return true;
}

/* The stamp of the return; *next is the record behind. */
static bool find_return(const struct stress_log *log, size_t *next, int64_t *ret)
{
    const struct stress_record *r = &log->records.data[*next];
    uint64_t stamp = r->call + r->duration;
    ++*next;
    if (r->duration == STRESS_LONG) {
        if (*next == log->records.len)
            return false;
        stamp = log->records.data[(*next)++].call;
    }
    *ret = (int64_t)stamp;
    return stamp >= r->call && stamp <= INT64_MAX;
}

/* Between two segments no call is open: whatever clocks say, those of the later one are called after all others have returned. */
static void start_after(struct stress_call *c, int64_t latest)
{
    c->call = c->call > latest ? c->call : latest;
    c->ret = c->ret > c->call ? c->ret : c->call;
}

/* Record number *next, which becomes the number of the one behind it. */
static bool read_record(struct stress_log *log, uint32_t slot, uint32_t operations, bool complete,
                        size_t *next)
{
    const struct stress_record r = log->records.data[*next];
    struct stress_call c = {.call = (int64_t)r.call, .thread = (uint16_t)slot, .operation = r.operation};
    size_t number = *next;
    c.pending = r.duration == STRESS_OPEN;
    if (c.pending && !complete && number + 1 == log->records.len && c.call < log->last[slot])
        c.call = log->last[slot]; /* its stamp was not taken yet */
    if (r.operation >= operations || c.call < log->last[slot])
        return fail(log, "record %zu of thread %u is none", number, slot);
    if (c.pending && (complete || number + 1 != log->records.len))
        return fail(log, "record %zu of thread %u has no return", number, slot);
    if (c.pending)
        ++*next;
    else if (!find_return(log, next, &c.ret))
        return fail(log, "the return of record %zu of thread %u is none", number, slot);
    if (!decode(log, r.argument, 0, &c.argument) ||
        !decode(log, c.pending ? PLUMB_ANY : r.result, 0, &c.result))
        return fail(log, "a value in record %zu of thread %u is none", number, slot);
    log->last[slot] = c.pending ? c.call : c.ret;
    start_after(&c, log->latest);
    vec_push(&log->calls, c);
    return true;
}

static bool read_slot(struct stress_log *log, uint32_t slot, uint32_t operations, bool complete)
{
    for (size_t next = 0; next < log->records.len;)
        if (!read_record(log, slot, operations, complete, &next))
            return false;
    return true;
}

bool stress_log_read(struct stress_log *log, const struct stress_program *p, uint32_t bank, uint32_t slots,
                     uint32_t operations, bool complete)
{
    int64_t latest = log->latest;
    for (uint32_t slot = 0; slot < slots && slot < p->layout.slots; slot++) {
        if (!copy_bank(log, p, slot, bank) || !read_slot(log, slot, operations, complete))
            return false;
        latest = log->last[slot] > latest ? log->last[slot] : latest;
    }
    log->latest = latest;
    return true;
}

/* ------------------------------------------------------------------ the log */

void stress_log_begin(struct stress_log *log)
{
    vec_clear(&log->calls);
    if (log->values)
        plumb_values_destroy(log->values);
    log->values = plumb_values_create();
    log->is_cut = false;
    log->dropped = 0;
    log->latest = 0;
    memset(log->last, 0, sizeof log->last);
    log->problem[0] = 0;
}

void stress_log_drop(struct stress_log *log)
{
    log->dropped += log->calls.len;
    vec_clear(&log->calls);
    plumb_values_destroy(log->values);
    log->values = plumb_values_create();
    log->is_cut = true;
}

void stress_log_free(struct stress_log *log)
{
    vec_free(&log->calls);
    if (log->values)
        plumb_values_destroy(log->values);
    vec_free(&log->records);
    vec_free(&log->area);
}
