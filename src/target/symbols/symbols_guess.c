/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_guess.h"

#include "target/symbols/symbols_source.h"
#include "target/symbols/symbols_types.h"

#include <dwarf.h>
#include <string.h>

enum { HOLDERS_MOST = 4 };

/* --- by pointers -------------------------------------------------------------------------------- */

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

static bool guess_by_pointers(struct guess *g, Dwarf_Die *function)
{
    Dwarf_Die origin, result;
    consider_variables(g, function, 0);
    if (symbols_die_reference(function, DW_AT_abstract_origin, &origin))
        consider_variables(g, &origin, 0); /* what was optimised away is described only there */
    if (symbols_die_reference(function, DW_AT_type, &result))
        consider_pointer(g, &result);
    return g->name != NULL;
}

/* --- by the source ------------------------------------------------------------------------------ */

/* How well objects of the type fill the block; 0: not at all. */
static unsigned rate_size(const struct source_type *t, Dwarf_Die *type, uint64_t size,
                          struct symbols_block *block)
{
    uint64_t element = symbols_type_size(type);
    block->shift = 0;
    block->element = element;
    if (!element || element > size)
        return 0;
    if (t->array && size % element) /* its length stands before it */
        block->shift = size % element;
    if (t->array || size % element == 0)
        return element == size ? 4 : 3;
    block->element = size; /* something of any length follows, or it is rounded up */
    return symbols_type_is_open(type) ? 3 : 1;
}

static unsigned rate_type(struct symbols_module *m, Dwarf_Die *function, const struct source_type *t,
                          const struct symbols_type *type)
{
    const char *caller = symbols_qualified_name(m, function);
    bool inside = *type->scope && caller && !strncmp(caller, type->scope, strlen(type->scope));
    return (symbols_source_is_same(t->text, type->name) ? 32u : 0) + (inside ? 16u : 0) +
           (type->die.cu == function->cu ? 8u : 0);
}

/* Of all types of that name the best; of equally good ones none, unless they are the same in several files. */
static bool find_type(struct symbols_module *m, Dwarf_Die *function, const struct source_type *t,
                      struct symbols_block *block)
{
    unsigned best = 0;
    bool ambiguous = false;
    struct symbols_block found = *block, tried;
    for (size_t k = 0; k < m->types.len; k++) {
        struct symbols_type *type = &m->types.data[k];
        if (!symbols_source_has_name(type->name, t->text))
            continue;
        tried = *block;
        unsigned size = rate_size(t, &type->die, block->size, &tried);
        unsigned rate = size ? size + rate_type(m, function, t, type) : 0;
        bool other = found.name != block->name && strcmp(type->name, found.name) != 0;
        if (!rate || rate < best)
            continue;
        ambiguous = rate == best && (ambiguous || other);
        if (rate > best) {
            found = tried;
            found.name = type->name;
            found.type = type->die;
            best = rate;
        }
    }
    if (best && !ambiguous)
        *block = found;
    return best && !ambiguous;
}

static bool take_type(const struct source_type *t, Dwarf_Die *type, struct symbols_block *block)
{
    struct symbols_block tried = *block;
    const char *name = symbols_type_name(type, &tried.type);
    if (!name || !rate_size(t, &tried.type, block->size, &tried))
        return false;
    tried.name = name;
    *block = tried;
    return true;
}

enum found { FOUND_NOT, FOUND_OTHER, FOUND_TYPE };

/* FOUND_OTHER: the statement makes an object of a type that is not known; its callers do not know better. */
static enum found guess_by_source(struct symbols_module *m, Dwarf_Die *function, const char *path,
                                  const struct symbol_frame *place, struct symbols_block *block)
{
    struct source_type list[SOURCE_TYPES_MOST];
    unsigned count = symbols_source_types(path, place->line, place->column, list), made = 0;
    for (unsigned k = 0; k < count; k++) {
        Dwarf_Die type;
        made += list[k].made;
        if (list[k].variable ? symbols_find_pointee(function, list[k].text, &type)
                             : symbols_find_template_type(function, list[k].text, &type)) {
            if (take_type(&list[k], &type, block))
                return FOUND_TYPE;
            continue;
        }
        symbols_put_template_types(function, &list[k]);
        if (find_type(m, function, &list[k], block))
            return FOUND_TYPE;
    }
    return made ? FOUND_OTHER : FOUND_NOT;
}

/* Nodes of the library's containers have the names of what they hold. */
static void name_block(struct symbols_module *m, struct symbols_block *block)
{
    Dwarf_Die type = block->type, held;
    for (int k = 0; k < HOLDERS_MOST && symbols_type_is_holder(&type) && symbols_type_argument(&type, &held);
         k++) {
        const char *name = symbols_type_name(&held, &type);
        if (!name && symbols_type_target(&held, &held))
            name = symbols_type_name(&held, &type);
        block->name = name ? name : block->name;
    }
    block->name = symbols_shorten_name(m, block->name);
}

static bool guess_block(struct symbols_module *m, uint64_t code, bool variables, struct symbols_block *block)
{
    struct symbol_frame frames[SYMBOLS_CHAIN_MOST];
    struct symbols_chain chain;
    struct guess g = {.size = block->size};
    unsigned count = symbols_find_frames(m, code, frames);
    symbols_find_chain(m, code, &chain);
    for (unsigned k = 0; k < count && k < chain.count; k++) {
        Dwarf_Die *function = &chain.functions[chain.count - 1 - k];
        struct text path = {0};
        if (frames[k].file)
            symbols_whole_path(frames[k].file, symbols_unit_folder(m, code), &path);
        enum found found = FOUND_NOT;
        if (path.len)
            found = guess_by_source(m, function, path.data, &frames[k], block);
        text_free(&path);
        if (found != FOUND_NOT)
            return found == FOUND_TYPE;
        if (!variables || !guess_by_pointers(&g, function))
            continue;
        if (g.ambiguous)
            return false;
        block->name = g.name;
        block->type = g.type;
        block->element = g.element;
        return true;
    }
    return false;
}

bool symbols_guess_block(struct symbols_module *m, uint64_t code, bool variables, struct symbols_block *block)
{
    bool found = guess_block(m, code, variables, block);
    if (found)
        name_block(m, block);
    return found;
}
