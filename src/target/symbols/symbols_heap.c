/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_heap.h"

#include "target/symbols/symbols_types.h"

#include <dwarf.h>
#include <string.h>

struct symbols_heap_count {
    const char *name;
    uint32_t count;
};

/* --- blocks ------------------------------------------------------------------------------------- */

/* Index of the first block that ends behind `address`. */
static size_t first_behind(const struct symbols_heap *h, uint64_t address)
{
    size_t low = 0, high = h->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (h->data[middle].address + h->data[middle].size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct symbols_block *symbols_heap_find(const struct symbols_heap *h, uint64_t address)
{
    size_t at = first_behind(h, address);
    return at < h->len && h->data[at].address <= address ? &h->data[at] : NULL;
}

/* The new block takes the place of all that it overlaps. */
static void insert_block(struct symbols_heap *h, struct symbols_block block)
{
    uint64_t end;
    if (!block.size)
        block.size = 1;
    if (__builtin_add_overflow(block.address, block.size, &end))
        return;
    size_t from = first_behind(h, block.address), to = from;
    while (to < h->len && h->data[to].address < end)
        to++;
    if (h->len + 1 > h->cap)
        h->data = base_grow(h->data, &h->cap, h->len + 1, sizeof *h->data);
    memmove(h->data + from + 1, h->data + to, (h->len - to) * sizeof *h->data);
    h->data[from] = block;
    h->len = h->len - (to - from) + 1;
}

static uint32_t next_ordinal(struct symbols_heap *h, const char *name)
{
    for (size_t i = 0; i < h->counts_len; i++)
        if (!strcmp(h->counts[i].name, name))
            return ++h->counts[i].count;
    if (h->counts_len == h->counts_cap)
        h->counts = base_grow(h->counts, &h->counts_cap, h->counts_len + 1, sizeof *h->counts);
    h->counts[h->counts_len++] = (struct symbols_heap_count){name, 1};
    return 1;
}

void symbols_heap_free(struct symbols_heap *h)
{
    free(h->data);
    free(h->counts);
    *h = (struct symbols_heap){0};
}

/* --- what lies there ---------------------------------------------------------------------------- */

/* Types that pointers of the allocating function point to and that fit the block. Two different ones: no answer,
 * a wrong name would be worse than none. */
struct guess {
    uint64_t size;
    const char *name;
    Dwarf_Die type;
    uint64_t element;
    bool ambiguous;
};

static void consider_pointer(struct guess *g, Dwarf_Die *pointer)
{
    Dwarf_Die pointee;
    const char *name = symbols_type_pointee(pointer, &pointee);
    uint64_t element = name ? symbols_type_size(&pointee) : 0;
    int tag = name ? dwarf_tag(&pointee) : 0;
    bool aggregate = tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
    if (aggregate && element < g->size && symbols_type_is_open(&pointee))
        element = g->size;
    bool worse = g->name && g->element == g->size && element < g->size;
    if (!aggregate || !element || g->size % element || worse)
        return;
    bool better = !g->name || (element == g->size && g->element < g->size);
    if (!better) {
        g->ambiguous = g->ambiguous || g->type.addr != pointee.addr;
        return;
    }
    g->name = name;
    g->type = pointee;
    g->element = element;
    g->ambiguous = false;
}

/* Local variables of the function and its blocks. Parameters rather point to what was there before. */
static void consider_variables(struct guess *g, Dwarf_Die *scope, unsigned depth)
{
    enum { DEPTH_MOST = 16 };
    Dwarf_Die die, type;
    if (depth > DEPTH_MOST)
        return;
    for (bool more = dwarf_child(scope, &die) == 0; more; more = symbols_next_die(&die)) {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_variable && symbols_die_reference(&die, DW_AT_type, &type))
            consider_pointer(g, &type);
        else if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block)
            consider_variables(g, &die, depth + 1);
    }
}

/* From the innermost function outwards: an inlined wrapper of malloc knows no type. */
static bool guess_type(struct guess *g, struct symbols_module *m, uint64_t code)
{
    struct symbols_chain chain;
    symbols_find_chain(m, code, &chain);
    for (unsigned i = chain.count; i-- > 0 && !g->name;) {
        Dwarf_Die origin, result;
        consider_variables(g, &chain.functions[i], 0);
        if (symbols_die_reference(&chain.functions[i], DW_AT_abstract_origin, &origin))
            consider_variables(g, &origin, 0); /* what was optimised away is described only there */
        if (symbols_die_reference(&chain.functions[i], DW_AT_type, &result))
            consider_pointer(g, &result);
    }
    return g->name && !g->ambiguous;
}

void symbols_heap_add(struct symbols_heap *h, uint64_t address, uint64_t size, struct symbols_module *m,
                      uint64_t code)
{
    struct guess g = {.size = size};
    struct symbols_block block = {.address = address, .size = size, .name = "heap"};
    if (m && size && guess_type(&g, m, code)) {
        block.name = g.name;
        block.type = g.type;
        block.element = g.element;
    }
    block.ordinal = next_ordinal(h, block.name);
    insert_block(h, block);
}
