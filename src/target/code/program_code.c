/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/program_code.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* --- functions ----------------------------------------------------------------------------------- */

struct found_symbol {
    uint64_t address;
    const char *name;
    uint8_t rank; /* of several at one address, the lowest names the function */
};

typedef VEC(struct found_symbol) symbol_list;

static int compare_symbols(const void *x, const void *y)
{
    const struct found_symbol *a = x, *b = y;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->rank != b->rank ? a->rank - b->rank : strcmp(a->name, b->name);
}

static void add_symbols(struct program_code *c, Elf_Scn *table, size_t text, symbol_list *into)
{
    GElf_Shdr header;
    GElf_Sym s;
    Elf_Data *data = elf_getdata(table, NULL);
    if (!data || !gelf_getshdr(table, &header))
        return;
    for (int k = 0; gelf_getsym(data, k, &s); k++) {
        unsigned type = GELF_ST_TYPE(s.st_info);
        const char *name = elf_strptr(c->elf, header.sh_link, s.st_name);
        if (s.st_shndx != text || type == STT_SECTION || type == STT_FILE || !name || !*name)
            continue;
        bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
        uint8_t rank = (uint8_t)(2 * !is_function + (GELF_ST_BIND(s.st_info) == STB_LOCAL));
        vec_push(into, ((struct found_symbol){s.st_value, name, rank}));
    }
}

static Elf_Scn *find_table(Elf *elf, GElf_Word type)
{
    GElf_Shdr header;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));)
        if (gelf_getshdr(s, &header) && header.sh_type == type)
            return s;
    return NULL;
}

static void add_function(struct program_code *c, const GElf_Shdr *text, const uint8_t *bytes,
                         uint64_t address, const char *name)
{
    uint64_t end = text->sh_addr + text->sh_size;
    if (address < text->sh_addr || address >= end)
        return;
    if (c->functions.len && vec_last(&c->functions).address == address)
        return;
    if (c->functions.len)
        vec_last(&c->functions).end = address;
    vec_push(&c->functions, ((struct code_function){name, address, end, bytes + (address - text->sh_addr)}));
}

/* What no symbol names is part of the function before it. */
static void find_functions(struct program_code *c, Elf_Scn *section, const GElf_Shdr *text)
{
    symbol_list symbols = {0};
    Elf_Data *data = elf_getdata(section, NULL);
    Elf_Scn *table = find_table(c->elf, SHT_SYMTAB);
    if (!data || !data->d_buf || data->d_size < text->sh_size)
        return;
    if (!table)
        table = find_table(c->elf, SHT_DYNSYM);
    if (table)
        add_symbols(c, table, elf_ndxscn(section), &symbols);
    if (symbols.len)
        qsort(symbols.data, symbols.len, sizeof *symbols.data, compare_symbols);
    if (!symbols.len || symbols.data[0].address != text->sh_addr)
        add_function(c, text, data->d_buf, text->sh_addr, ".text");
    for (size_t k = 0; k < symbols.len; k++)
        add_function(c, text, data->d_buf, symbols.data[k].address, symbols.data[k].name);
    vec_free(&symbols);
}

/* --- functions of other files -------------------------------------------------------------------- */

static int compare_imports(const void *x, const void *y)
{
    const struct code_import *a = x, *b = y;
    return (a->address > b->address) - (a->address < b->address);
}

static void sort_imports(code_imports *list)
{
    if (list->len)
        qsort(list->data, list->len, sizeof *list->data, compare_imports);
}

static const char *name_at(const code_imports *list, uint64_t address)
{
    struct code_import wanted = {.address = address}, *found = NULL;
    if (list->len)
        found = bsearch(&wanted, list->data, list->len, sizeof wanted, compare_imports);
    return found ? found->name : "";
}

/* The words of the global offset table that the loader fills with addresses of functions. */
static void add_slots(struct program_code *c, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Scn *symbols = elf_getscn(c->elf, header->sh_link);
    Elf_Data *data = elf_getdata(section, NULL), *table = symbols ? elf_getdata(symbols, NULL) : NULL;
    GElf_Shdr strings;
    GElf_Rela r;
    GElf_Sym s;
    if (!data || !table || !gelf_getshdr(symbols, &strings))
        return;
    for (int k = 0; gelf_getrela(data, k, &r); k++) {
        int symbol = (int)GELF_R_SYM(r.r_info);
        const char *name =
            symbol && gelf_getsym(table, symbol, &s) ? elf_strptr(c->elf, strings.sh_link, s.st_name) : NULL;
        if (name && *name)
            vec_push(&c->slots, ((struct code_import){r.r_offset, name}));
    }
}

/* An entry of the procedure linkage table is a jump to the address in such a word, behind a landing pad perhaps. */
static void add_entries(struct program_code *c, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !data->d_buf)
        return;
    struct code_function table = {NULL, header->sh_addr, header->sh_addr + data->d_size, data->d_buf};
    struct machine_instruction i = {0};
    uint64_t landing = 0;
    while (program_code_next(&table, &i)) {
        const char *name = i.flow == FLOW_JUMP ? program_code_callee(c, &i) : "";
        if (*name && landing)
            vec_push(&c->entries, ((struct code_import){landing, name}));
        if (*name)
            vec_push(&c->entries, ((struct code_import){i.address, name}));
        landing = i.kind == KIND_NOTHING ? i.address : 0;
    }
}

/* --- instructions -------------------------------------------------------------------------------- */

/* As many zeros are padding, not code. */
static uint64_t skip_zeros(const struct code_function *f, uint64_t address)
{
    enum { PADDING = 8 };
    uint64_t at = address;
    while (at < f->end && f->bytes[at - f->address] == 0)
        at++;
    return at - address >= PADDING || at == f->end ? at : address;
}

bool program_code_next(const struct code_function *f, struct machine_instruction *i)
{
    uint64_t at = skip_zeros(f, i->next ? i->next : f->address);
    if (at >= f->end)
        return false;
    if (!machine_decode_at(f->bytes + (at - f->address), f->end - at, at, i))
        *i = (struct machine_instruction){
            .address = at, .next = at + 1, .name = "", .kind = KIND_SYSTEM, .access = ACCESS_UNKNOWN};
    return true;
}

const char *program_code_callee(const struct program_code *c, const struct machine_instruction *i)
{
    bool leads_away = i->flow == FLOW_CALL || i->flow == FLOW_JUMP;
    if (i->target)
        return name_at(&c->entries, i->target);
    return leads_away && i->memory.relative ? name_at(&c->slots, (uint64_t)i->memory.distance) : "";
}

/* In a section that has none of these flags. */
static const uint8_t *find_data(const struct program_code *c, uint64_t address, uint64_t without,
                                size_t *bytes)
{
    GElf_Shdr header;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(c->elf, s));) {
        if (!gelf_getshdr(s, &header) || header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_ALLOC) ||
            header.sh_flags & without || address < header.sh_addr ||
            address - header.sh_addr >= header.sh_size)
            continue;
        Elf_Data *data = elf_getdata(s, NULL);
        uint64_t offset = address - header.sh_addr;
        *bytes = data && data->d_buf && data->d_size > offset ? data->d_size - offset : 0;
        return *bytes ? (const uint8_t *)data->d_buf + offset : NULL;
    }
    return NULL;
}

const uint8_t *program_code_data(const struct program_code *c, uint64_t address, size_t *bytes)
{
    return find_data(c, address, 0, bytes);
}

const uint8_t *program_code_constant(const struct program_code *c, uint64_t address, size_t *bytes)
{
    return find_data(c, address, SHF_WRITE, bytes);
}

/* --- files --------------------------------------------------------------------------------------- */

static const char *section_name(Elf *elf, const GElf_Shdr *header)
{
    size_t names;
    const char *name = elf_getshdrstrndx(elf, &names) == 0 ? elf_strptr(elf, names, header->sh_name) : NULL;
    return name ? name : "";
}

static void read_sections(struct program_code *c)
{
    GElf_Shdr header;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(c->elf, s));)
        if (gelf_getshdr(s, &header) && header.sh_type == SHT_RELA)
            add_slots(c, s, &header);
    sort_imports(&c->slots);
    for (Elf_Scn *s = NULL; (s = elf_nextscn(c->elf, s));) {
        if (!gelf_getshdr(s, &header) || header.sh_type != SHT_PROGBITS)
            continue;
        const char *name = section_name(c->elf, &header);
        if (strncmp(name, ".plt", 4) == 0)
            add_entries(c, s, &header);
        else if (strcmp(name, ".text") == 0)
            find_functions(c, s, &header);
    }
    sort_imports(&c->entries);
}

bool program_code_open(struct program_code *c, const char *path)
{
    *c = (struct program_code){.fd = open(path, O_RDONLY | O_CLOEXEC)};
    elf_version(EV_CURRENT);
    c->elf = c->fd >= 0 && machine_prepare() ? elf_begin(c->fd, ELF_C_READ_MMAP, NULL) : NULL;
    if (c->elf)
        read_sections(c);
    return c->functions.len > 0;
}

void program_code_close(struct program_code *c)
{
    vec_free(&c->functions);
    vec_free(&c->slots);
    vec_free(&c->entries);
    elf_end(c->elf);
    if (c->fd >= 0)
        close(c->fd);
}
