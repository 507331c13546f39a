/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_inside.h"

#include "target/symbols/symbols_arrays.h"
#include "target/symbols/symbols_guess.h"
#include "target/symbols/symbols_locals.h"
#include "target/symbols/symbols_types.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Integers below are shown as such when nothing is known about their type. */
enum { SMALL_VALUE = 1 << 16 };
enum { ADDRESS_BITS = 48, FIRST_PAGE = 4096 };

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

struct symbols_module *symbols_find_module(struct symbols *s, uint64_t address)
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

void symbols_add_module_offset(struct symbols *s, uint64_t address, struct text *out)
{
    struct symbols_module *m = symbols_find_module(s, address);
    if (m)
        text_printf(out, "%s+0x%" PRIx64, m->name, address - m->bias);
    else
        text_printf(out, "0x%" PRIx64, address);
}

/* --- memory ------------------------------------------------------------------------------------- */

void symbols_add_heap(struct symbols *s, uint64_t address, uint64_t size, const uint64_t *pcs, uint32_t count)
{
    struct symbols_block block = {.address = address, .size = size, .name = "heap"};
    bool found = false;
    for (uint32_t k = 0; k < count && !found; k++) {
        struct symbols_module *m = symbols_find_module(s, pcs[k] - 1);
        /* Variables of functions further out have little to do with it. */
        found = m && size && symbols_guess_block(m, pcs[k] - 1 - m->bias, k < 2, &block);
    }
    symbols_heap_add(&s->heap, block);
}

/* Without a variable of its own the address may belong to an array of the same frame. */
static bool is_in_array(struct symbols *s, uint64_t address, uint64_t top)
{
    const struct symbols_block *block = symbols_heap_find(&s->heap, address);
    return block && block->dimensions && block->top == top;
}

void symbols_add_stack(struct symbols *s, uint64_t address, uint64_t pc, uint64_t top)
{
    struct symbols_module *m = symbols_find_module(s, pc - 1);
    struct symbols_block variable = {.name = NULL};
    if (m && symbols_find_local(m, pc - 1 - m->bias, top, address, &variable) &&
        (variable.element || !is_in_array(s, address, top)))
        symbols_heap_add_variable(&s->heap, variable);
}

void symbols_add_array(struct symbols *s, const struct worker_array *array)
{
    struct symbols_module *m = symbols_find_module(s, array->pc - 1);
    struct symbols_block variable = {.name = NULL};
    if (m && symbols_find_array(m, array, &variable))
        symbols_heap_add_variable(&s->heap, variable);
}

void symbols_add_storage(struct symbols *s, uint64_t address, uint64_t pointer, uint32_t thread)
{
    struct symbols_block variable = {.name = NULL};
    if (!s->module_count)
        return;
    symbols_module_index(s->modules); /* only the program's own has a known distance */
    if (symbols_find_storage(s->modules, pointer, address, thread, &variable))
        symbols_heap_add_variable(&s->heap, variable);
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

static void add_block_name(const struct symbols_block *block, struct text *out)
{
    text_puts(out, block->name);
    if (!block->variable || block->ordinal > 1)
        text_printf(out, "#%" PRIu32, block->ordinal);
}

static void add_indices(const struct symbols_block *block, uint64_t index, struct text *out)
{
    for (unsigned k = 0; k < block->dimensions; k++) {
        text_printf(out, "[%" PRIu64 "]", index / block->strides[k]);
        index %= block->strides[k];
    }
    if (!block->dimensions && block->size - block->shift > block->element)
        text_printf(out, "[%" PRIu64 "]", index);
}

static struct spot name_heap(struct symbols *s, uint64_t address, uint64_t size, struct text *out)
{
    const struct symbols_block *block = symbols_heap_find(&s->heap, address);
    if (!block)
        return (struct spot){0};
    struct spot spot = {.found = true, .typed = block->element > 0, .type = block->type};
    spot.rest = address - block->address;
    add_block_name(block, out);
    if (!spot.typed || spot.rest < block->shift)
        return (struct spot){.found = true, .rest = spot.rest};
    spot.rest -= block->shift;
    add_indices(block, spot.rest / block->element, out);
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
    v->name = symbols_shorten_name(m, v->name);
    struct spot spot = {.found = true, .rest = address - v->low + v->shift};
    text_puts(out, v->name);
    spot.typed = symbols_die_reference(&v->die, DW_AT_type, &spot.type);
    Dwarf_Die array;
    if (spot.typed && size == SYMBOLS_WHOLE && !spot.rest && symbols_type_peel(&spot.type, &array) &&
        dwarf_tag(&array) == DW_TAG_array_type)
        text_puts(out, "[0]"); /* like pointers to the other elements */
    else if (spot.typed)
        symbols_type_walk(&spot.type, &spot.rest, size, out);
    return spot;
}

static struct spot name_symbol(struct symbols_module *m, uint64_t address, struct text *out)
{
    struct symbols_interval *symbol = symbols_index_find(&m->symbols, address);
    if (!symbol)
        return (struct spot){0};
    char name[256];
    snprintf(name, sizeof name, "%s", symbol->name);
    symbols_demangle(name, sizeof name);
    text_puts(out, name);
    return (struct spot){.found = true, .rest = address - symbol->low};
}

static struct spot name_spot(struct symbols *s, uint64_t address, uint64_t size, struct text *out)
{
    struct spot spot = name_heap(s, address, size, out);
    struct symbols_module *m = spot.found ? NULL : symbols_find_module(s, address);
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
        symbols_add_module_offset(s, address, out);
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
    if (value == block->address && !block->variable) {
        add_block_name(block, out);
    } else if (block->element && (value - block->address) % sizeof(void *) == 0) {
        text_puts(out, "&");
        symbols_location(s, value, SYMBOLS_WHOLE, out);
    } else {
        /* Most likely a pointer with a mark in its low bits. */
        add_block_name(block, out);
        text_printf(out, "+%" PRIu64, value - block->address);
    }
    return true;
}

/* `&q`, `&slots[3]`, `worker`; a pointer to the first member reads like one to the whole. */
static bool add_static_pointer(struct symbols *s, uint64_t value, struct text *out)
{
    struct symbols_module *m = symbols_find_module(s, value);
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

/* Most programs that keep a mark in a pointer have it in the low bits, or in the 16 bits that addresses leave free. */
static bool add_marked_pointer(struct symbols *s, uint64_t value, struct text *out)
{
    uint64_t mark = value >> ADDRESS_BITS, address = value & ((UINT64_C(1) << ADDRESS_BITS) - 1);
    struct text name = {0};
    bool found = mark && add_heap_pointer(s, address, &name);
    if (found)
        text_printf(out, "%s | %" PRIu64 " << %d", name.data, mark, ADDRESS_BITS);
    text_free(&name);
    return found;
}

/* What new memory is filled with, so that it is recognised. */
static bool is_filling(uint64_t size, uint64_t value)
{
    static const uint8_t fillings[] = {HEAP_FILLING, STACK_FILLING_GCC, STACK_FILLING_CLANG};
    uint64_t all = size == 8 ? UINT64_MAX : UINT32_MAX;
    for (size_t k = 0; k < sizeof fillings && (size == 4 || size == 8); k++)
        if ((value & all) == (UINT64_C(0x0101010101010101) * fillings[k] & all))
            return true;
    return false;
}

static void add_pointer_value(uint64_t value, struct text *out)
{
    if (value && value < FIRST_PAGE)
        text_printf(out, "NULL + %" PRIu64, value);
    else if (value)
        text_printf(out, "0x%" PRIx64, value);
    else
        text_puts(out, "NULL");
}

/* Only the first word is known. */
static void add_pair(struct symbols *s, uint64_t address, uint64_t first, struct text *out)
{
    text_puts(out, "{");
    symbols_value(s, address, sizeof first, first, out);
    text_puts(out, ", ...}");
}

/* A word of what is called `whole`, after the name of the member that it is. */
static void add_half(struct symbols *s, const struct text *whole, uint64_t address, uint64_t value,
                     struct text *out)
{
    struct text half = {0};
    symbols_location(s, address, sizeof value, &half);
    if (half.len > whole->len + 1 && !memcmp(half.data, whole->data, whole->len) &&
        half.data[whole->len] == '.')
        text_printf(out, "%s ", half.data + whole->len + 1);
    text_free(&half);
    symbols_value(s, address, sizeof value, value, out);
}

void symbols_pair(struct symbols *s, uint64_t address, uint64_t first, uint64_t second, struct text *out)
{
    struct text whole = {0};
    symbols_location(s, address, sizeof first + sizeof second, &whole);
    text_puts(out, "{");
    add_half(s, &whole, address, first, out);
    text_puts(out, ", ");
    add_half(s, &whole, address + sizeof first, second, out);
    text_puts(out, "}");
    text_free(&whole);
}

/* A part of a value, or several values at once, do not read like the type. */
static struct spot find_value(struct symbols *s, uint64_t address, uint64_t size,
                              enum symbols_value_kind *kind)
{
    struct text ignored = {0};
    struct spot spot = name_spot(s, address, size, &ignored);
    text_free(&ignored);
    if (spot.typed && (spot.rest || symbols_type_size(&spot.type) != size))
        spot.typed = false;
    *kind = spot.typed ? symbols_type_value_kind(&spot.type) : SYMBOLS_VALUE_OTHER;
    return spot;
}

bool symbols_is_pointer(struct symbols *s, uint64_t address, uint64_t size)
{
    enum symbols_value_kind kind;
    find_value(s, address, size, &kind);
    return kind == SYMBOLS_VALUE_POINTER;
}

void symbols_value(struct symbols *s, uint64_t address, uint64_t size, uint64_t value, struct text *out)
{
    if (size == 2 * sizeof value) {
        add_pair(s, address, value, out);
        return;
    }
    enum symbols_value_kind kind;
    struct spot spot = find_value(s, address, size, &kind);
    bool wide = size == sizeof(void *);
    if (is_filling(size, value))
        text_puts(out, "never written");
    else if ((wide && (add_heap_pointer(s, value, out) || add_marked_pointer(s, value, out))) ||
             (wide && kind != SYMBOLS_VALUE_NUMBER && add_static_pointer(s, value, out)))
        return;
    else if (kind == SYMBOLS_VALUE_POINTER)
        add_pointer_value(value, out);
    else if (!spot.typed || !symbols_type_add_value(&spot.type, size, value, out))
        add_untyped(size, value, out);
}
