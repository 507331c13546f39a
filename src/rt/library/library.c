/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of functions of which the table (library.h) knows what they read and write, and of unknown ones. */
#include "rt/library/library.h"

#include "base/memory.h"
#include "base/text.h"
#include "engine/memory/frames.h"
#include "engine/memory/objects.h"
#include "engine/memory/undefined_bits.h"
#include "engine/loop/spin.h"
#include "rt/channels/channels.h"
#include "rt/hook.h"
#include "rt/start.h"
#include "rt/system/outside.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <wchar.h>
#include <wctype.h>

enum { IN_REGISTERS = sizeof((struct library_frame){0}.integers) / sizeof(uint64_t) };

uint64_t library_argument(const struct library_call *c, unsigned number)
{
    return number <= IN_REGISTERS ? c->frame->integers[number - 1] : c->stack[number - 1 - IN_REGISTERS];
}

/* ------------------------------------------------------------------ announcing */

/* Does it give away bytes that the program has made, as they are? */
static bool sends(const struct library_call *c)
{
    static const char *const names[] = {"write", "pwrite", "send", "fwrite", NULL};
    return undefined_heap && text_is_one_of(c->import->name, names);
}

void library_access(const struct library_call *c, uint64_t address, size_t size, bool writes)
{
    if (!address || !size || c->apart_to)
        return;
    frames_check_own(address, size, (uint64_t)c->stack, c->pc);
    engine_plain(address, size, writes, c->pc);
    if (!writes && sends(c) && undefined_first(address, size) && undefined_is_no_padding(address, size))
        undefined_fail("what the program writes", undefined_first(address, size), c->pc);
}

void library_access_late(const struct library_call *c, uint64_t address, size_t size, bool writes)
{
    if (!writes || !address || !size) {
        library_access(c, address, size, writes);
        return;
    }
    hook_check_late_write(c->import->name, address, size, c->pc);
    frames_check_own(address, size, (uint64_t)c->stack, c->pc);
    engine_plain_late(address, size, c->pc);
}

void library_read_string(const struct library_call *c, uint64_t address, size_t size)
{
    if (!address || !size)
        return;
    if (c->apart_to) {
        library_check_apart(c, c->apart_from, c->apart_to - c->apart_from, address, size);
        return;
    }
    frames_check_own(address, size, (uint64_t)c->stack, c->pc);
    hook_read_string((const void *)address, size, c->pc);
}

void library_check_apart(const struct library_call *c, uint64_t to, size_t to_size, uint64_t from,
                         size_t from_size)
{
    if (from && to && from < to + to_size && to < from + from_size)
        engine_fail(WORKER_ERROR_UNDEFINED, to, c->pc, "%s between places that overlap", c->import->name);
}

void library_use(const struct library_call *c, uint32_t object, bool writes)
{
    objects_name(objects_address(object), OBJECTS_SIZE, "the hidden state of", library_object_name(object));
    engine_plain(objects_address(object), 1, writes, c->pc);
}

/* A stream: who locks it for himself is a reader, who does not a writer. */
void library_use_handle(const struct library_call *c, uint64_t handle, bool writes)
{
    if (!handle)
        return;
    library_check_handle(c, handle);
    objects_name(handle, 1, "the stream that is given to", c->import->name);
    engine_plain(handle, 1, writes, c->pc);
}

/* ------------------------------------------------------------------ extents */

static uint64_t character(uint64_t at, unsigned unit)
{
    return unit == 1 ? *(const unsigned char *)at : *(const uint32_t *)at;
}

/* Bytes of a string with its end, which may be missing after `most` characters. */
static size_t measure_string(uint64_t at, unsigned unit, size_t most)
{
    size_t length = unit == 1 ? strnlen((const char *)at, most) : wcsnlen((const wchar_t *)at, most);
    return (length < most ? length + 1 : most) * unit;
}

static uint64_t folded(uint64_t c, unsigned unit)
{
    return unit == 1 ? (uint64_t)tolower((int)c) : (uint64_t)towlower((wint_t)c);
}

static size_t measure_difference(const struct library_item *i, uint64_t a, uint64_t b, size_t most)
{
    bool folds = i->extent == EXTENT_DIFFERENCE_CASE;
    for (size_t n = 0; n < most; n++) {
        uint64_t x = character(a + n * i->unit, i->unit), y = character(b + n * i->unit, i->unit);
        if (x == 0 || (folds ? folded(x, i->unit) != folded(y, i->unit) : x != y))
            return (n + 1) * i->unit;
    }
    return most * i->unit;
}

static size_t measure_number(const struct library_item *i, const struct library_call *c, uint64_t at)
{
    const char *text = (const char *)at;
    char *end = NULL;
    if (i->extent == EXTENT_FLOAT)
        strtold(text, &end);
    else
        strtoull(text, &end, i->other ? (int)library_argument(c, i->other) : 10);
    return end > text ? (size_t)(end - text) + 1 : 1;
}

static size_t measure_product(const struct library_item *i, const struct library_call *c, bool has_result)
{
    size_t size = i->constant;
    for (unsigned k = 0; k < LIBRARY_FACTORS && i->factors[k]; k++)
        if (__builtin_mul_overflow(size, library_argument(c, i->factors[k]), &size))
            return 0;
    if (!i->by_result)
        return size;
    int64_t result = (int64_t)c->frame->result; /* or an int: the upper half says nothing then */
    if (!has_result || result < 0 || result >> 31 == 1)
        return 0;
    size_t count = (size_t)result + i->added;
    return size * (i->most && library_argument(c, i->most) < count ? library_argument(c, i->most) : count);
}

static size_t most_of(const struct library_item *i, const struct library_call *c)
{
    return i->most ? library_argument(c, i->most) : SIZE_MAX / sizeof(wchar_t);
}

/* `has_result`: after the call. Before it, what depends on the result is all that may be accessed. */
static size_t measure(const struct library_item *i, const struct library_call *c, uint64_t at,
                      bool has_result)
{
    uint64_t result = c->frame->result;
    if (i->to_result && has_result && result >= at)
        return result - at + i->unit;
    switch (i->extent) {
    case EXTENT_STRING: return measure_string(at, i->unit, most_of(i, c));
    case EXTENT_DIFFERENCE:
    case EXTENT_DIFFERENCE_CASE:
        return measure_difference(i, at, library_argument(c, i->other), most_of(i, c));
    case EXTENT_INTEGER:
    case EXTENT_FLOAT: return measure_number(i, c, at);
    default: break;
    }
    if (i->by_result && i->what == LIBRARY_READ && !has_result)
        return measure_string(at, i->constant == sizeof(wchar_t) ? sizeof(wchar_t) : 1,
                              SIZE_MAX / sizeof(wchar_t));
    return measure_product(i, c, has_result);
}

/* ------------------------------------------------------------------ items */

static bool is_met(const struct library_item *i, const struct library_call *c)
{
    switch (i->condition) {
    case WHEN_ZERO: return (int32_t)c->frame->result == 0;
    case WHEN_NOT_ZERO: return c->frame->result != 0;
    case WHEN_NOT_NEGATIVE: return (int32_t)c->frame->result >= 0;
    default: return true;
    }
}

static void do_parts(const struct library_item *i, const struct library_call *c, bool writes)
{
    const struct iovec *parts = (const void *)library_argument(c, i->argument);
    size_t count = (uint32_t)library_argument(c, i->other);
    size_t left = writes ? (size_t)((int64_t)c->frame->result > 0 ? c->frame->result : 0) : SIZE_MAX;
    library_access(c, (uint64_t)parts, count * sizeof *parts, false);
    for (size_t k = 0; parts && k < count && left; k++) {
        size_t size = parts[k].iov_len < left ? parts[k].iov_len : left;
        library_access_late(c, (uint64_t)parts[k].iov_base, size, writes);
        left -= size;
    }
}

/* A result that is static memory of the library. */
static void do_own(const struct library_item *i, const struct library_call *c)
{
    uint64_t at = c->frame->result;
    if (!at)
        return;
    size_t size = measure(i, c, at, true);
    objects_name(at, size, "the static result of", c->import->name);
    library_access(c, at, size, true);
}

static void do_memory(const struct library_item *i, const struct library_call *c, bool after)
{
    uint64_t at = library_argument(c, i->argument);
    if (!at)
        return;
    size_t size = measure(i, c, at, after);
    bool is_text = i->extent != EXTENT_PRODUCT || i->by_result || i->to_result;
    if (i->what == LIBRARY_READ && is_text && !after)
        library_read_string(c, at, size);
    else if (after)
        library_access_late(c, at, size, i->what == LIBRARY_WRITE);
    else
        library_access(c, at, size, i->what == LIBRARY_WRITE);
}

static void do_stream(const struct library_item *i, const struct library_call *c)
{
    uint64_t stream = i->argument ? library_argument(c, i->argument) : 0;
    if (i->argument && !stream)
        return;
    library_use_handle(c, stream, i->changes);
    outside_use_stream((void *)stream, c->pc);
}

static void do_file(const struct library_item *i, const struct library_call *c)
{
    int fd = i->argument ? (int)library_argument(c, i->argument) : -1;
    if (!i->argument)
        outside_change_all_files(c->pc);
    else if (channel_find(fd, c->pc))
        channel_refuse_call(c->import->name, c->pc);
    else
        outside_use_file(fd, i->changes, c->pc);
}

static const struct library_item *find_item(const struct library_call *c, enum library_what what)
{
    for (uint32_t k = 0; k < c->row->count; k++)
        if (c->row->items[k].what == what)
            return &c->row->items[k];
    return NULL;
}

/* What the row reads and what it writes. Memory, unlike strings, is copied to itself by compilers and templates. */
LIBRARY_DO(apart)
{
    const struct library_item *from = find_item(c, LIBRARY_READ), *to = find_item(c, LIBRARY_WRITE);
    uint64_t source = library_argument(c, from->argument), target = library_argument(c, to->argument);
    if (source && target && (source != target || from->extent == EXTENT_STRING))
        library_check_apart(c, target, measure(to, c, target, false), source,
                            measure(from, c, source, false));
}

static void do_item(const struct library_item *i, const struct library_call *c, bool after)
{
    switch (i->what) {
    case LIBRARY_READ:
    case LIBRARY_WRITE: do_memory(i, c, after); break;
    case LIBRARY_OWN: do_own(i, c); break;
    case LIBRARY_USE:
    case LIBRARY_CHANGE:
        if (i->argument)
            library_use_handle(c, library_argument(c, i->argument), i->what == LIBRARY_CHANGE);
        else
            library_use(c, i->object, i->what == LIBRARY_CHANGE);
        break;
    case LIBRARY_STREAM: do_stream(i, c); break;
    case LIBRARY_FILE: do_file(i, c); break;
    case LIBRARY_PATH:
        outside_use_path((const char *)library_argument(c, i->argument), i->changes, c->pc);
        break;
    case LIBRARY_OUTSIDE: outside_use((enum outside)i->object, i->changes, c->pc); break;
    case LIBRARY_PRINT: library_print(c, i); break;
    case LIBRARY_SCAN: library_scan(c, i); break;
    case LIBRARY_GATHER: do_parts(i, c, false); break;
    case LIBRARY_SCATTER: do_parts(i, c, true); break;
    default: i->special(c, after);
    }
}

/* Is it time for the item? Where accesses are steps, reads have to come first. */
static bool is_due(const struct library_item *i, const struct library_call *c, bool after)
{
    if (i->what == LIBRARY_SPECIAL)
        return !after || i->late;
    bool late = i->late && !(i->what == LIBRARY_READ && engine_allows_races());
    return late == after && (!after || is_met(i, c));
}

/* ------------------------------------------------------------------ calls */

/* The system's copy of the arguments must not reach beyond the stack. */
static long count_words(const struct library_row *row, const uint64_t *stack)
{
    void *from;
    size_t size;
    if (!engine_find_stack(engine_current(), &from, &size))
        return row->stack_words;
    int64_t left = ((int64_t)from + (int64_t)size - (int64_t)stack) / 8;
    return left < 0 || left > (int64_t)row->stack_words ? (long)row->stack_words : (long)left;
}

void library_do_items(struct import_call *import, struct library_frame *f, const uint64_t *stack,
                      const void *pc, bool after)
{
    const struct library_row *row = import->row;
    int error = errno;
    const struct library_call c = {.import = import, .row = row, .frame = f, .stack = stack, .pc = pc};
    for (uint32_t k = 0; k < row->count; k++)
        if (is_due(&row->items[k], &c, after))
            do_item(&row->items[k], &c, after);
    imports_last = import; /* it may have called the program back, or others have run */
    errno = error;
}

long library_before(struct import_call *import, struct library_frame *f, const uint64_t *stack,
                    const void *pc)
{
    const struct library_row *row = import->row;
    imports_last = import;
    engine_note_effect();
    if (!row) {
        engine_note_unseen(import);
        return -1;
    }
    library_do_items(import, f, stack, pc, false);
    return row->late ? count_words(row, stack) : -1;
}

void library_after(struct import_call *import, struct library_frame *f, const uint64_t *stack, const void *pc)
{
    imports_last = import; /* it may have called the program back */
    spin_note_call(stack - 2);
    library_do_items(import, f, stack, pc, true);
}

/* ------------------------------------------------------------------ which functions */

static enum import_kind classify(struct import_call *import, bool is_runtime)
{
    struct library_row row;
    const struct library_line *line = library_find(import->name);
    if (!line)
        return is_runtime || library_is_harmless(import->library) ? IMPORT_HARMLESS : IMPORT_ENTERED;
    if (!library_parse(line->items, &row))
        return IMPORT_ENTERED; /* a line that says nothing: the function is named like those without one */
    /* the runtime's own functions look at their caller, so they have to be called by it */
    if (!row.count || (is_runtime && (row.late || line->is_hooked)))
        return IMPORT_HARMLESS;
    struct library_row *kept = NEW_ZEROED(struct library_row, 1);
    *kept = row;
    import->row = kept;
    return IMPORT_ENTERED;
}

void library_prepare(void)
{
    objects_prepare();
    imports_classify = classify;
    imports_enter = library_enter;
}
