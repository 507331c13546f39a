/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols.h"

#include "base/hash.h"
#include "base/vec.h"
#include "target/symbols/symbols_heap.h"
#include "target/symbols/symbols_module.h"
#include "target/symbols/symbols_types.h"

#include <dwarf.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Integers below are shown as such when nothing is known about their type. */
enum { SMALL_VALUE = 1 << 16 };

struct symbols {
    struct symbols_module *modules;
    uint32_t module_count;
    struct hash_map place_of_pc;
    VEC(struct symbol_place) places;
    struct symbols_heap heap;
    char *folder; /* the working directory, with a slash behind; null: unknown */
    struct arena strings;
};

struct symbols *symbols_open(const struct worker_module *modules, uint32_t count, struct diagnostic *d)
{
    struct symbols *s = NEW(struct symbols);
    s->modules = NEW_ZEROED(struct symbols_module, count ? count : 1);
    for (uint32_t i = 0; i < count; i++) {
        char path[sizeof modules[i].path + 1] = {0};
        memcpy(path, modules[i].path, sizeof modules[i].path);
        if (!symbols_module_open(&s->modules[i], path, modules[i].base) && i == 0)
            diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "cannot read the symbols of %s", path);
    }
    s->module_count = count;
    char *folder = getcwd(NULL, 0);
    struct text with_slash = {0};
    if (folder)
        text_printf(&with_slash, "%s%s", folder, strcmp(folder, "/") ? "/" : "");
    s->folder = with_slash.data;
    free(folder);
    return s;
}

void symbols_close(struct symbols *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->module_count; i++)
        symbols_module_close(&s->modules[i]);
    free(s->modules);
    hash_map_free(&s->place_of_pc);
    vec_free(&s->places);
    symbols_heap_free(&s->heap);
    free(s->folder);
    arena_free(&s->strings);
    free(s);
}

/* The module that a run-time address belongs to, ready to be asked; null: none. */
static struct symbols_module *find_module(struct symbols *s, uint64_t address)
{
    for (uint32_t i = 0; i < s->module_count; i++) {
        struct symbols_module *m = &s->modules[i];
        if (address - m->bias >= m->low && address - m->bias < m->high) {
            symbols_module_index(m);
            return m;
        }
    }
    return NULL;
}

/* --- places ------------------------------------------------------------------------------------- */

/* `origin`: the folder that a relative path belongs to, or null. */
static const char *shorten_path(struct symbols *s, const char *path, const char *origin)
{
    struct text clean = {0}, whole = {0};
    text_printf(&whole, "%s%s%s", *path != '/' && origin ? origin : "", *path != '/' && origin ? "/" : "",
                path);
    symbols_clean_path(whole.data, &clean);
    text_free(&whole);
    const char *shown = clean.len ? clean.data : "";
    size_t folder = s->folder ? strlen(s->folder) : 0;
    if (folder && !strncmp(shown, s->folder, folder))
        shown += folder;
    char *kept = arena_copy(&s->strings, shown, strlen(shown));
    text_free(&clean);
    return kept;
}

static struct symbol_place find_place(struct symbols *s, uint64_t pc)
{
    struct symbol_frame frames[SYMBOLS_CHAIN_MOST];
    struct symbol_place place = {0};
    struct symbols_module *m = find_module(s, pc - 1);
    if (m)
        place.frame_count = symbols_find_frames(m, pc - 1 - m->bias, frames);
    if (!place.frame_count)
        return place;
    const char *origin = symbols_unit_folder(m, pc - 1 - m->bias);
    uint32_t shown = 0;
    while (shown + 1 < place.frame_count && frames[shown].file && symbols_is_system_file(frames[shown].file))
        shown++;
    if (!frames[shown].file || symbols_is_system_file(frames[shown].file))
        shown = 0;
    for (uint32_t i = 0; i < place.frame_count; i++)
        if (frames[i].file)
            frames[i].file = shorten_path(s, frames[i].file, origin);
    size_t size = place.frame_count * sizeof *frames;
    place.frames = memcpy(arena_alloc(&s->strings, size), frames, size);
    place.at = frames[shown];
    return place;
}

bool symbols_line(struct symbols *s, uint64_t pc, struct symbol_place *out)
{
    uint32_t *number = hash_map_at(&s->place_of_pc, pc);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)s->places.len;
        vec_push(&s->places, find_place(s, pc));
    }
    *out = s->places.data[*number];
    return out->at.file != NULL;
}

/* `program+0x1234`, for an address without a better name. */
static void add_module_offset(struct symbols *s, uint64_t address, struct text *out)
{
    struct symbols_module *m = find_module(s, address);
    if (m)
        text_printf(out, "%s+0x%" PRIx64, m->name, address - m->bias);
    else
        text_printf(out, "0x%" PRIx64, address);
}

void symbols_add_place(struct symbols *s, uint64_t pc, struct text *out)
{
    struct symbol_place place;
    if (symbols_line(s, pc, &place))
        text_printf(out, "%s:%" PRIu32, place.at.file, place.at.line);
    else if (place.at.function && find_module(s, pc - 1) == s->modules)
        text_puts(out, place.at.function); /* a library's name says more */
    else
        add_module_offset(s, pc ? pc - 1 : 0, out);
}

/* --- memory ------------------------------------------------------------------------------------- */

void symbols_add_heap(struct symbols *s, uint64_t address, uint64_t size, uint64_t pc)
{
    struct symbols_module *m = find_module(s, pc - 1);
    symbols_heap_add(&s->heap, address, size, m, m ? pc - 1 - m->bias : 0);
}

void symbols_forget_memory(struct symbols *s)
{
    symbols_heap_free(&s->heap);
}

/* What an address belongs to, with the type of the part that an access to it touches. */
struct spot {
    bool found, typed;
    Dwarf_Die type;
    uint64_t rest; /* bytes between the part named and the access */
};

static struct spot name_heap(struct symbols *s, uint64_t address, uint64_t size, struct text *out)
{
    const struct symbols_block *block = symbols_heap_find(&s->heap, address);
    if (!block)
        return (struct spot){0};
    text_puts(out, block->name);
    struct spot spot = {.found = true, .typed = block->element > 0, .type = block->type};
    spot.rest = address - block->address;
    text_printf(out, "#%" PRIu32, block->ordinal);
    if (!spot.typed)
        return spot;
    if (block->size > block->element)
        text_printf(out, "[%" PRIu64 "]", spot.rest / block->element);
    spot.rest %= block->element;
    /* An access to several elements, or to bytes behind the last, has no member. */
    if (size == SYMBOLS_WHOLE || size <= block->element - spot.rest)
        symbols_type_walk(&spot.type, &spot.rest, size, out);
    return spot;
}

static struct spot name_variable(struct symbols_module *m, uint64_t address, uint64_t size, struct text *out)
{
    struct symbols_interval *v = symbols_index_find(&m->variables, address);
    if (!v)
        return (struct spot){0};
    if (!v->name)
        v->name = symbols_qualified_name(m, &v->die);
    if (!v->name)
        return (struct spot){0};
    struct spot spot = {.found = true, .rest = address - v->low + v->shift};
    text_puts(out, v->name);
    spot.typed = symbols_die_reference(&v->die, DW_AT_type, &spot.type);
    if (spot.typed)
        symbols_type_walk(&spot.type, &spot.rest, size, out);
    return spot;
}

static struct spot name_symbol(struct symbols_module *m, uint64_t address, struct text *out)
{
    struct symbols_interval *symbol = symbols_index_find(&m->symbols, address);
    if (!symbol)
        return (struct spot){0};
    text_puts(out, symbol->name);
    return (struct spot){.found = true, .rest = address - symbol->low};
}

static struct spot name_spot(struct symbols *s, uint64_t address, uint64_t size, struct text *out)
{
    struct spot spot = name_heap(s, address, size, out);
    struct symbols_module *m = spot.found ? NULL : find_module(s, address);
    if (m)
        spot = name_variable(m, address - m->bias, size, out);
    if (m && !spot.found)
        spot = name_symbol(m, address - m->bias, out);
    return spot;
}

void symbols_location(struct symbols *s, uint64_t address, uint64_t size, struct text *out)
{
    struct spot spot = name_spot(s, address, size, out);
    if (!spot.found)
        add_module_offset(s, address, out);
    else if (spot.rest)
        text_printf(out, "+%" PRIu64, spot.rest);
}

/* --- values ------------------------------------------------------------------------------------- */

/* A pointer to the beginning of an object on the heap reads like the object. */
static bool add_heap_pointer(struct symbols *s, uint64_t value, struct text *out)
{
    const struct symbols_block *block = symbols_heap_find(&s->heap, value);
    if (!block)
        return false;
    if (value == block->address) {
        text_printf(out, "%s#%" PRIu32, block->name, block->ordinal);
    } else if (block->element && (value - block->address) % sizeof(void *) == 0) {
        text_puts(out, "&");
        symbols_location(s, value, SYMBOLS_WHOLE, out);
    } else {
        /* Most likely a pointer with a mark in its low bits. */
        text_printf(out, "%s#%" PRIu32 "+%" PRIu64, block->name, block->ordinal, value - block->address);
    }
    return true;
}

/* `&q`, `&slots[3]`, `worker`; a pointer to the first member reads like one to the whole. */
static bool add_static_pointer(struct symbols *s, uint64_t value, struct text *out)
{
    struct symbols_module *m = find_module(s, value);
    if (!m)
        return false;
    uint64_t address = value - m->bias;
    if (symbols_index_find(&m->variables, address)) {
        text_puts(out, "&");
        symbols_location(s, value, SYMBOLS_WHOLE, out);
        return true;
    }
    struct symbols_interval *function = symbols_index_find(&m->functions, address);
    struct symbols_interval *symbol = symbols_index_find(&m->symbols, address);
    const char *name = NULL;
    if (function && function->low == address)
        name = symbols_qualified_name(m, &function->die);
    if (!name && symbol && symbol->low == address)
        name = symbol->name;
    if (name)
        text_puts(out, name);
    return name != NULL;
}

static void add_untyped(uint64_t size, uint64_t value, struct text *out)
{
    unsigned unused = size >= 1 && size < 8 ? 64 - 8 * (unsigned)size : 0;
    int64_t extended = (int64_t)(value << unused) >> unused;
    if (extended > -SMALL_VALUE && extended < SMALL_VALUE)
        text_printf(out, "%" PRId64, extended);
    else
        text_printf(out, "0x%" PRIx64, value << unused >> unused);
}

void symbols_value(struct symbols *s, uint64_t address, uint64_t size, uint64_t value, struct text *out)
{
    struct text ignored = {0};
    struct spot spot = name_spot(s, address, size, &ignored);
    text_free(&ignored);
    /* A part of a value, or several values at once, do not read like the type. */
    if (spot.typed && (spot.rest || symbols_type_size(&spot.type) != size))
        spot.typed = false;
    enum symbols_value_kind kind = spot.typed ? symbols_type_value_kind(&spot.type) : SYMBOLS_VALUE_OTHER;
    bool wide = size == sizeof(void *);
    if (kind == SYMBOLS_VALUE_POINTER && value == 0)
        text_puts(out, "NULL");
    else if ((wide && add_heap_pointer(s, value, out)) ||
             (wide && kind != SYMBOLS_VALUE_NUMBER && add_static_pointer(s, value, out)))
        return;
    else if (kind == SYMBOLS_VALUE_POINTER)
        text_printf(out, "0x%" PRIx64, value);
    else if (!spot.typed || !symbols_type_add_value(&spot.type, size, value, out))
        add_untyped(size, value, out);
}
