/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_variables.h"

#include "machine/instruction.h"
#include "target/symbols/symbols_locals.h"
#include "target/symbols/symbols_types.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 64, VISITS_MOST = 1 << 24 };

struct reader {
    struct symbols_module module;
    struct variable_list *list;
    struct variable function; /* the one that is being read: its code */
    int64_t base;             /* distance of its frame base from the frame pointer */
    bool found;               /* it has variables */
    uint32_t visits;
};

static void add(struct reader *r, const struct variable *v)
{
    if (r->list->all.len < VARIABLES_MOST)
        vec_push(&r->list->all, *v);
    else
        r->list->lost = 1;
}

static void set_name(struct variable *v, const char *name)
{
    char text[256], *dot;
    snprintf(text, sizeof text, "%s", name);
    while ((dot = strrchr(text, '.')) && dot[1] >= '0' && dot[1] <= '9')
        *dot = 0;             /* of a function: gcc has "buffer.0" */
    dot = strrchr(text, '.'); /* clang "main.buffer" */
    if (dot)
        memmove(text, dot + 1, strlen(dot));
    symbols_demangle(text, sizeof text);
    snprintf(v->name, sizeof v->name, "%.*s", VARIABLES_NAME - 1, text);
}

/* ------------------------------------------------------------------ static variables */

/* Those in sections of the program's own may be elements of an array that the linker makes: only sections
 * with a dot are not asked for by their beginning. */
static bool is_plain_section(struct reader *r, const GElf_Sym *symbol, size_t names)
{
    GElf_Shdr header;
    Elf_Scn *section = symbol->st_shndx < SHN_LORESERVE ? elf_getscn(r->module.elf, symbol->st_shndx) : NULL;
    if (!section || !gelf_getshdr(section, &header))
        return false;
    const char *name = elf_strptr(r->module.elf, names, header.sh_name);
    return name && *name == '.' && header.sh_flags & SHF_ALLOC;
}

/* `kind`: STT_OBJECT, STT_TLS; `base` is added to values. */
static void read_symbols(struct reader *r, Elf_Scn *section, const GElf_Shdr *header, unsigned kind,
                         int64_t base)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0, names;
    if (elf_getshdrstrndx(r->module.elf, &names) != 0)
        return;
    for (size_t i = 0; i < count && i < INT32_MAX; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol))
            break;
        const char *name = elf_strptr(r->module.elf, header->sh_link, symbol.st_name);
        if (GELF_ST_TYPE(symbol.st_info) != kind || !symbol.st_size || !name ||
            !is_plain_section(r, &symbol, names))
            continue;
        struct variable v = {.at = (int64_t)symbol.st_value + base, .size = symbol.st_size};
        set_name(&v, name);
        add(r, &v);
    }
}

static uint32_t read_tables(struct reader *r, unsigned kind, int64_t base)
{
    GElf_Shdr header;
    size_t before = r->list->all.len;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(r->module.elf, s));)
        if (gelf_getshdr(s, &header) && header.sh_type == SHT_SYMTAB)
            read_symbols(r, s, &header, kind, base);
    return (uint32_t)(r->list->all.len - before);
}

static uint32_t read_thread_local(struct reader *r)
{
    uint64_t size = symbols_storage_size(&r->module);
    return size ? read_tables(r, STT_TLS, -(int64_t)size) : 0;
}

/* ------------------------------------------------------------------ functions */

static const unsigned char *code_at(struct reader *r, uint64_t address, size_t size)
{
    GElf_Shdr header;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(r->module.elf, s));) {
        if (!gelf_getshdr(s, &header) || header.sh_type != SHT_PROGBITS || address < header.sh_addr ||
            address - header.sh_addr >= header.sh_size)
            continue;
        Elf_Data *data = elf_getdata(s, NULL);
        uint64_t offset = address - header.sh_addr;
        return data && data->d_size >= size && offset <= data->d_size - size
                   ? (const unsigned char *)data->d_buf + offset
                   : NULL;
    }
    return NULL;
}

/* Does it begin with "push %rbp; mov %rsp, %rbp"? Then the frame pointer is its own at every call it makes. */
static bool keeps_frame_pointer(struct reader *r, uint64_t low)
{
    enum { SIZE = 8 }; /* with a landing pad before */
    struct machine_instruction i = {0};
    const unsigned char *code = machine_prepare() ? code_at(r, low, SIZE) : NULL;
    if (!code || !machine_decode_at(code, SIZE, 0, &i) ||
        (i.kind == KIND_NOTHING && !machine_decode_at(code + i.next, SIZE - i.next, i.next, &i)))
        return false;
    return i.kind == KIND_PUSH && i.operands[0].number == MACHINE_FRAME &&
           machine_decode_at(code + i.next, SIZE - i.next, i.next, &i) && i.kind == KIND_MOVE &&
           i.operands[0].number == MACHINE_FRAME && i.operands[1].number == MACHINE_STACK;
}

static bool begin_function(struct reader *r, Dwarf_Die *die)
{
    Dwarf_Addr base, low, high;
    r->function = (struct variable){0};
    r->found = false;
    if (dwarf_ranges(die, 0, &base, &low, &high) <= 0 || low < r->module.low || high > r->module.high ||
        low >= high || !keeps_frame_pointer(r, low) || !symbols_frame_base(die, &r->base))
        return false;
    r->function.function = r->function.from = low;
    r->function.function_end = r->function.to = high;
    return true;
}

/* A variable that has one place in memory as long as its function runs. That of which structured bindings are parts has
 * no name. */
static void read_variable(struct reader *r, Dwarf_Die *die, const struct variable *scope)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Op *ops;
    size_t count;
    int64_t place;
    if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_whatform(&attribute) != DW_FORM_exprloc ||
        dwarf_getlocation(&attribute, &ops, &count) != 0 || !symbols_frame_place(ops, count, &place) ||
        !symbols_die_reference(die, DW_AT_type, &type) || symbols_type_is_open(&type))
        return;
    struct variable v = *scope;
    const char *name = dwarf_diename(die);
    v.at = place + r->base;
    v.size = symbols_type_size(&type);
    if (!v.size || v.at >= 0)
        return;
    snprintf(v.name, sizeof v.name, "%s", name ? name : "a variable without name");
    add(r, &v);
    r->found = true;
}

/* The code of a block, from its first to its last instruction. */
static struct variable part_of(const struct variable *scope, Dwarf_Die *block)
{
    struct variable part = *scope;
    Dwarf_Addr base, low, high;
    uint64_t from = UINT64_MAX, to = 0;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(block, next, &base, &low, &high)) > 0;) {
        from = low < from ? low : from;
        to = high > to ? high : to;
    }
    if (from < to) {
        part.from = from;
        part.to = to;
    }
    return part;
}

static void read_scope(struct reader *r, Dwarf_Die *parent, const struct variable *scope, unsigned depth)
{
    Dwarf_Die die;
    if (depth > DEPTH_MOST || r->visits > VISITS_MOST) {
        r->list->lost = 1;
        return;
    }
    for (bool more = dwarf_child(parent, &die) == 0; more && r->visits++ <= VISITS_MOST;
         more = symbols_next_die(&die)) {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter: read_variable(r, &die, scope); break;
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
        case DW_TAG_inlined_subroutine: {
            struct variable part = part_of(scope, &die);
            read_scope(r, &die, &part, depth + 1);
            break;
        }
        default: break;
        }
    }
}

static void read_functions(struct reader *r)
{
    for (size_t k = 0; k < r->module.functions.len; k++) {
        Dwarf_Die die = r->module.functions.data[k].die;
        if (!begin_function(r, &die))
            continue;
        /* an interval for each part of the code: the variables belong to the first one */
        if (r->module.functions.data[k].low != r->function.function)
            continue;
        read_scope(r, &die, &r->function, 0);
        if (!r->found)
            add(r, &r->function); /* that its callers can be found */
    }
}

/* ------------------------------------------------------------------ all */

static int compare(const void *a, const void *b)
{
    const struct variable *x = a, *y = b;
    int64_t p = x->function ? (int64_t)x->function : x->at, q = y->function ? (int64_t)y->function : y->at;
    return p < q ? -1 : p > q;
}

static void sort(struct variable *first, size_t count)
{
    if (count)
        qsort(first, count, sizeof *first, compare);
}

struct variable_list variables_of_program(const char *path)
{
    struct variable_list list = {0};
    struct reader r = {.list = &list};
    list.is_read = symbols_module_open(&r.module, path, 0);
    if (list.is_read) {
        list.static_count = read_tables(&r, STT_OBJECT, 0);
        sort(list.all.data, list.static_count);
#if defined(__x86_64__)
        list.thread_count = read_thread_local(&r);
        sort(list.all.data + list.static_count, list.thread_count);
        size_t functions = list.all.len;
        symbols_module_index(&r.module);
        read_functions(&r);
        sort(list.all.data + functions, list.all.len - functions);
#endif
    }
    symbols_module_close(&r.module);
    return list;
}

void variables_free(struct variable_list *v)
{
    vec_free(&v->all);
}
