/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_locals.h"

#include "target/symbols/symbols_types.h"

#include <dwarf.h>
#include <inttypes.h>

enum { DEPTH_MOST = 64, VISITS_MOST = 1 << 16 };

/* --- on a stack --------------------------------------------------------------------------------- */

/* gcc counts from the caller's frame, clang from the frame pointer. */
bool symbols_frame_base(Dwarf_Die *function, int64_t *base)
{
    enum { RBP = DW_OP_reg6 };
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) ||
        dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1)
        return false;
    *base = ops->atom == DW_OP_call_frame_cfa ? 16 : 0;
    return ops->atom == DW_OP_call_frame_cfa || ops->atom == RBP;
}

bool symbols_frame_place(const Dwarf_Op *ops, size_t count, int64_t *place)
{
    if (!count || count > 2 || ops->atom != DW_OP_fbreg || (count == 2 && ops[1].atom != DW_OP_plus_uconst))
        return false;
    *place = (int64_t)ops->number + (count == 2 ? (int64_t)ops[1].number : 0);
    return true;
}

struct search {
    uint64_t code, address;
    uint64_t base; /* what locations in the frame count from */
    unsigned visits;
    Dwarf_Die function; /* or inlined function that the variable belongs to */
    Dwarf_Die variable;
    uint64_t start;
    bool found, lives; /* lives: its block is being executed */
};

static bool holds(struct search *s, Dwarf_Die *die, uint64_t *start)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Op *ops;
    size_t count;
    int64_t place;
    if (!dwarf_attr(die, DW_AT_location, &attribute) ||
        dwarf_getlocation_addr(&attribute, s->code, &ops, &count, 1) != 1 ||
        !symbols_frame_place(ops, count, &place) || !symbols_die_reference(die, DW_AT_type, &type))
        return false;
    *start = s->base + (uint64_t)place;
    return s->address - *start < symbols_type_size(&type);
}

/* Variables of different blocks share room: the one whose block is executed counts, else the last. */
static void search_scope(struct search *s, Dwarf_Die *scope, const Dwarf_Die *function, bool lives,
                         unsigned depth)
{
    Dwarf_Die die;
    uint64_t start;
    if (depth > DEPTH_MOST)
        return;
    for (bool more = dwarf_child(scope, &die) == 0; more && s->visits++ < VISITS_MOST;
         more = symbols_next_die(&die)) {
        int tag = dwarf_tag(&die);
        bool inlined = tag == DW_TAG_inlined_subroutine;
        if (inlined || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block) {
            search_scope(s, &die, inlined ? &die : function, lives && dwarf_haspc(&die, s->code) == 1,
                         depth + 1);
        } else if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && (lives || !s->lives) &&
                   holds(s, &die, &start)) {
            s->function = *function;
            s->variable = die;
            s->start = start;
            s->found = true;
            s->lives = lives;
        }
    }
}

const char *symbols_name_local(struct symbols_module *m, Dwarf_Die *scope, const char *variable,
                               uint64_t address)
{
    const char *function = symbols_qualified_name(m, scope);
    struct text name = {0};
    text_printf(&name, "%s: ", function ? symbols_shorten_name(m, function) : "?");
    if (variable)
        text_puts(&name, variable);
    else
        text_printf(&name, "0x%" PRIx64, address);
    const char *kept = arena_copy(&m->strings, name.data, name.len);
    text_free(&name);
    return kept;
}

bool symbols_find_local(struct symbols_module *m, uint64_t code, uint64_t top, uint64_t address,
                        struct symbols_block *out)
{
    struct symbols_interval *function = symbols_index_find(&m->functions, code);
    int64_t base = 0;
    if (!function)
        return false;
    struct search s = {.code = code, .address = address, .function = function->die};
    if (symbols_frame_base(&function->die, &base)) {
        s.base = top - 2 * sizeof(uint64_t) + (uint64_t)base;
        search_scope(&s, &function->die, &function->die, true, 0);
    }
    const char *name = s.found ? dwarf_diename(&s.variable) : NULL;
    *out = (struct symbols_block){
        .address = address, .size = 1, .name = symbols_name_local(m, &s.function, name, address)};
    if (name && symbols_die_reference(&s.variable, DW_AT_type, &out->type)) {
        out->address = s.start;
        out->size = out->element = symbols_type_size(&out->type);
    }
    return true;
}

/* --- each thread's own -------------------------------------------------------------------------- */

/* The storage of the program ends at the thread pointer, on x86-64. */
uint64_t symbols_storage_size(struct symbols_module *m)
{
    size_t count = 0;
    GElf_Phdr segment;
#if defined(__x86_64__)
    if (!m->elf || elf_getphdrnum(m->elf, &count) != 0)
        return 0;
#endif
    for (size_t k = 0; k < count; k++)
        if (gelf_getphdr(m->elf, (int)k, &segment) && segment.p_type == PT_TLS) {
            uint64_t align = segment.p_align ? segment.p_align : 1;
            return (segment.p_memsz + align - 1) / align * align;
        }
    return 0;
}

bool symbols_find_storage(struct symbols_module *m, uint64_t pointer, uint64_t address, uint32_t thread,
                          struct symbols_block *out)
{
    uint64_t begin = pointer - symbols_storage_size(m);
    struct symbols_interval *v = address < pointer ? symbols_index_find(&m->storage, address - begin) : NULL;
    const char *own = v ? symbols_qualified_name(m, &v->die) : NULL;
    if (!own)
        return false;
    struct text name = {0};
    text_printf(&name, "%s of T%" PRIu32, own, thread);
    *out = (struct symbols_block){.address = begin + v->low, .size = v->high - v->low};
    out->name = arena_copy(&m->strings, name.data, name.len);
    text_free(&name);
    if (symbols_die_reference(&v->die, DW_AT_type, &out->type))
        out->element = out->size;
    return true;
}
