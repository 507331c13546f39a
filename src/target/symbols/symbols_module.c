/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_module.h"

#include "base/vec.h"
#include "target/symbols/symbols_types.h"

#include <dwarf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH_MOST = 64, OVERLAPS_MOST = 64, ORIGINS_MOST = 8, VISITS_MOST = 1 << 26, ARGUMENTS_LONG = 26 };

/* --- the file ----------------------------------------------------------------------------------- */

static void read_segments(struct symbols_module *m)
{
    size_t count = 0;
    if (elf_getphdrnum(m->elf, &count) != 0)
        return;
    m->low = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(m->elf, (int)i, &segment) || segment.p_type != PT_LOAD)
            continue;
        if (segment.p_vaddr < m->low)
            m->low = segment.p_vaddr;
        if (segment.p_vaddr + segment.p_memsz > m->high)
            m->high = segment.p_vaddr + segment.p_memsz;
    }
    if (m->low >= m->high)
        m->low = m->high = 0;
}

bool symbols_module_open(struct symbols_module *m, const char *path, uint64_t base)
{
    *m = (struct symbols_module){.fd = -1};
    m->path = base_strndup(path, strlen(path));
    const char *slash = strrchr(m->path, '/');
    m->name = m->path + (slash ? slash - m->path + 1 : 0);
    elf_version(EV_CURRENT);
    m->fd = open(path, O_RDONLY | O_CLOEXEC);
    m->elf = m->fd >= 0 ? elf_begin(m->fd, ELF_C_READ_MMAP, NULL) : NULL;
    GElf_Ehdr header;
    if (!m->elf || !gelf_getehdr(m->elf, &header))
        return false;
    m->bias = header.e_type == ET_EXEC ? 0 : base;
    read_segments(m);
    return m->low < m->high;
}

void symbols_module_close(struct symbols_module *m)
{
    vec_free(&m->units);
    vec_free(&m->functions);
    vec_free(&m->variables);
    vec_free(&m->storage);
    vec_free(&m->symbols);
    vec_free(&m->scopes);
    vec_free(&m->types);
    hash_map_free(&m->scope_of);
    arena_free(&m->strings);
    dwarf_end(m->dwarf);
    elf_end(m->elf);
    if (m->fd >= 0)
        close(m->fd);
    free(m->path);
}

/* --- intervals ---------------------------------------------------------------------------------- */

/* What the linker threw away keeps its debug information, at addresses that mean nothing. */
static void add_interval(struct symbols_module *m, struct symbols_index *index,
                         struct symbols_interval interval)
{
    if (interval.low > 1 && interval.low >= m->low && interval.low < interval.high &&
        interval.high <= m->high)
        vec_push(index, interval);
}

static int compare_intervals(const void *a, const void *b)
{
    const struct symbols_interval *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->high > y->high ? -1 : x->high < y->high;
}

static void sort_index(struct symbols_index *index)
{
    if (index->len)
        qsort(index->data, index->len, sizeof *index->data, compare_intervals);
}

struct symbols_interval *symbols_index_find(const struct symbols_index *index, uint64_t address)
{
    size_t low = 0, high = index->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->data[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t tried = 0; low > 0 && tried < OVERLAPS_MOST; tried++)
        if (address < index->data[--low].high)
            return &index->data[low];
    return NULL;
}

/* --- debug information -------------------------------------------------------------------------- */

bool symbols_next_die(Dwarf_Die *die)
{
    Dwarf_Die next;
    if (dwarf_siblingof(die, &next) != 0 || (char *)next.addr <= (char *)die->addr)
        return false;
    *die = next;
    return true;
}

bool symbols_die_reference(Dwarf_Die *die, unsigned name, Dwarf_Die *out)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, name, &attribute) && dwarf_formref_die(&attribute, out);
}

static char *keep_string(struct symbols_module *m, const char *s)
{
    return arena_copy(&m->strings, s, strlen(s));
}

static void add_code(struct symbols_module *m, struct symbols_index *index, Dwarf_Die *die)
{
    Dwarf_Addr base, low, high;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(die, next, &base, &low, &high)) > 0;)
        add_interval(m, index, (struct symbols_interval){.low = low, .high = high, .die = *die});
}

/* The address that an operation pushes; compilers also keep addresses in a table of their own. */
static bool address_of_op(Dwarf_Attribute *location, const Dwarf_Op *op, uint64_t *address)
{
    Dwarf_Attribute entry;
    if (op->atom == DW_OP_addr) {
        *address = op->number;
        return true;
    }
    return (op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index) &&
           dwarf_getlocation_attr(location, op, &entry) == 0 && dwarf_formaddr(&entry, address) == 0;
}

/* Each thread has one, at this distance from the beginning of its storage. */
static bool add_thread_local(struct symbols_module *m, Dwarf_Die *die, const Dwarf_Op *ops, size_t count,
                             uint64_t size)
{
    if (count != 2 || (ops[1].atom != DW_OP_GNU_push_tls_address && ops[1].atom != DW_OP_form_tls_address))
        return false;
    struct symbols_interval v = {.low = ops->number, .high = ops->number + size, .die = *die};
    if (size && v.low < v.high)
        vec_push(&m->storage, v);
    return true;
}

/* A variable lies at one address, or in pieces when the optimiser took it apart. */
static void add_variable(struct symbols_module *m, Dwarf_Die *die)
{
    Dwarf_Attribute location;
    Dwarf_Op *ops;
    size_t count;
    Dwarf_Die type;
    if (!dwarf_attr(die, DW_AT_location, &location) || dwarf_getlocation(&location, &ops, &count) != 0)
        return;
    uint64_t whole = symbols_die_reference(die, DW_AT_type, &type) ? symbols_type_size(&type) : 0;
    uint64_t shift = 0;
    if (add_thread_local(m, die, ops, count, whole))
        return;
    for (size_t i = 0; i < count; i++) {
        struct symbols_interval v = {.die = *die, .shift = shift};
        bool placed = address_of_op(&location, &ops[i], &v.low);
        if (placed && i + 1 < count && ops[i + 1].atom == DW_OP_plus_uconst)
            v.low += ops[++i].number;
        bool piece = placed && i + 1 < count && ops[i + 1].atom == DW_OP_piece;
        if (!placed && ops[i].atom != DW_OP_piece)
            return;
        uint64_t size = piece ? ops[++i].number : placed ? whole : ops[i].number;
        v.high = v.low + (size ? size : 1);
        if (placed && (piece || i + 1 == count))
            add_interval(m, &m->variables, v);
        shift += size;
    }
}

/* A class or namespace inside of the one with number `outer`; those without a name leave names as they are. */
static uint32_t add_scope(struct symbols_module *m, Dwarf_Die *die, uint32_t outer)
{
    const char *name = dwarf_diename(die);
    if (!name || dwarf_hasattr(die, DW_AT_export_symbols))
        return outer;
    struct text prefix = {0};
    text_printf(&prefix, "%s%s::", outer == HASH_NO_NUMBER ? "" : m->scopes.data[outer], name);
    vec_push(&m->scopes, keep_string(m, prefix.data));
    text_free(&prefix);
    return (uint32_t)m->scopes.len - 1;
}

static void note_scope(struct symbols_module *m, const Dwarf_Die *die, uint32_t scope)
{
    if (scope != HASH_NO_NUMBER)
        *hash_map_at(&m->scope_of, (uintptr_t)die->addr) = scope;
}

/* Types that programs allocate objects of, with the class or namespace that has them. */
static void note_type(struct symbols_module *m, Dwarf_Die *die, uint32_t scope)
{
    struct symbols_type type = {dwarf_diename(die), scope == HASH_NO_NUMBER ? "" : m->scopes.data[scope],
                                *die};
    if (type.name && !dwarf_hasattr(die, DW_AT_declaration))
        vec_push(&m->types, type);
}

static bool count_visit(struct symbols_module *m)
{
    return m->visits++ < VISITS_MOST;
}

/* Outside of functions, classes only declare what is defined elsewhere. */
static void index_class(struct symbols_module *m, Dwarf_Die *class, unsigned depth, uint32_t scope)
{
    Dwarf_Die die;
    if (depth > DEPTH_MOST)
        return;
    for (bool more = dwarf_child(class, &die) == 0; more && count_visit(m); more = symbols_next_die(&die)) {
        switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
        case DW_TAG_variable:
        case DW_TAG_member: note_scope(m, &die, scope); break;
        case DW_TAG_typedef:
        case DW_TAG_union_type: note_type(m, &die, scope); break;
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
            note_type(m, &die, scope);
            index_class(m, &die, depth + 1, add_scope(m, &die, scope));
            break;
        default: break;
        }
    }
}

/* Names inside of functions stand alone; for them `scope` is none. */
static void index_scope(struct symbols_module *m, Dwarf_Die *parent, unsigned depth, bool in_function,
                        uint32_t scope)
{
    Dwarf_Die die;
    if (depth > DEPTH_MOST)
        return;
    for (bool more = dwarf_child(parent, &die) == 0; more && count_visit(m); more = symbols_next_die(&die)) {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            note_scope(m, &die, scope);
            add_variable(m, &die);
            break;
        case DW_TAG_subprogram:
            note_scope(m, &die, scope);
            add_code(m, &m->functions, &die);
            index_scope(m, &die, depth + 1, true, HASH_NO_NUMBER);
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block: index_scope(m, &die, depth + 1, in_function, scope); break;
        case DW_TAG_namespace:
        case DW_TAG_module: index_scope(m, &die, depth + 1, in_function, add_scope(m, &die, scope)); break;
        case DW_TAG_base_type:
        case DW_TAG_typedef:
        case DW_TAG_union_type: note_type(m, &die, scope); break;
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
            note_type(m, &die, scope);
            if (in_function)
                index_scope(m, &die, depth + 1, true, scope);
            else
                index_class(m, &die, depth + 1, add_scope(m, &die, scope));
            break;
        default: break;
        }
    }
}

/* Every unit is visited: tables of address ranges are incomplete or not there at all. */
static void index_debug_information(struct symbols_module *m)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, split;
    uint8_t kind;
    m->dwarf = dwarf_begin_elf(m->elf, DWARF_C_READ, NULL);
    while (m->dwarf && dwarf_get_units(m->dwarf, unit, &unit, NULL, &kind, &die, &split) == 0) {
        if (dwarf_tag(&die) != DW_TAG_compile_unit && dwarf_tag(&die) != DW_TAG_skeleton_unit)
            continue;
        add_code(m, &m->units, &die);
        index_scope(m, kind == DW_UT_skeleton && split.addr ? &split : &die, 0, false, HASH_NO_NUMBER);
    }
}

/* --- the symbol table --------------------------------------------------------------------------- */

static void add_symbols(struct symbols_module *m, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count && i < INT32_MAX; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol))
            break;
        int type = GELF_ST_TYPE(symbol.st_info);
        const char *name = elf_strptr(m->elf, header->sh_link, symbol.st_name);
        if ((type == STT_FUNC || type == STT_OBJECT) && symbol.st_shndx != SHN_UNDEF && name && *name)
            add_interval(
                m, &m->symbols,
                (struct symbols_interval){.low = symbol.st_value,
                                          .high = symbol.st_value + (symbol.st_size ? symbol.st_size : 1),
                                          .name = name});
    }
}

static void index_symbols(struct symbols_module *m, unsigned table)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(m->elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == table)
            add_symbols(m, section, &header);
    }
}

void symbols_module_index(struct symbols_module *m)
{
    if (m->indexed || m->low >= m->high)
        return;
    m->indexed = true;
    index_debug_information(m);
    index_symbols(m, SHT_SYMTAB);
    if (!m->symbols.len)
        index_symbols(m, SHT_DYNSYM);
    sort_index(&m->units);
    sort_index(&m->functions);
    sort_index(&m->variables);
    sort_index(&m->storage);
    sort_index(&m->symbols);
}

/* --- names -------------------------------------------------------------------------------------- */

/* Definitions refer to the declaration that says where they belong. */
static Dwarf_Die declaration_of(const Dwarf_Die *definition)
{
    Dwarf_Die die = *definition, next;
    for (int i = 0; i < ORIGINS_MOST; i++) {
        Dwarf_Attribute attribute;
        if (!dwarf_attr(&die, DW_AT_abstract_origin, &attribute) &&
            !dwarf_attr(&die, DW_AT_specification, &attribute))
            break;
        if (!dwarf_formref_die(&attribute, &next))
            break;
        die = next;
    }
    return die;
}

const char *symbols_qualified_name(struct symbols_module *m, Dwarf_Die *die)
{
    Dwarf_Die declaration = declaration_of(die);
    const char *own = dwarf_diename(&declaration);
    uint32_t scope = hash_map_get(&m->scope_of, (uintptr_t)declaration.addr);
    if (!own || scope == HASH_NO_NUMBER)
        return own;
    struct text name = {0};
    text_printf(&name, "%s%s", m->scopes.data[scope], own);
    const char *kept = keep_string(m, name.data);
    text_free(&name);
    return kept;
}

const char *symbols_shorten_name(struct symbols_module *m, const char *name)
{
    struct text shorter = {0};
    for (const char *at = name; *at;) {
        size_t before = strcspn(at, "<"), length = 0;
        unsigned depth = 0;
        do {
            depth += at[before + length] == '<';
            depth -= at[before + length] == '>';
        } while (at[before + length] && length++ < UINT16_MAX && depth);
        bool long_one = length > ARGUMENTS_LONG && !depth;
        text_add(&shorter, at, before + (long_one ? 0 : length));
        text_puts(&shorter, long_one ? "<...>" : "");
        at += before + length;
    }
    const char *kept = shorter.len < strlen(name) && shorter.len ? keep_string(m, shorter.data) : name;
    text_free(&shorter);
    return kept;
}
