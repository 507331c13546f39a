/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/rust_names.h"
#include "target/symbols/symbols_module.h"
#include "target/symbols/symbols_wrappers.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 64 };

/* Takes the last part away again; false when there is none that can be. */
static bool drop_part(struct text *path)
{
    size_t at = path->len - (path->len > 0);
    while (at > 0 && path->data[at - 1] != '/')
        at--;
    if (at >= path->len || !strcmp(path->data + at, "../") || path->data[at] == '/')
        return false;
    path->data[path->len = at] = 0;
    return true;
}

void symbols_clean_path(const char *path, struct text *out)
{
    text_clear(out);
    for (const char *at = path, *end; *at; at = end) {
        end = strchrnul(at, '/');
        end += *end == '/';
        size_t length = (size_t)(end - at);
        bool empty = length == 1 && *at == '/' && out->len;
        bool same = length == 2 && !strncmp(at, "./", 2);
        bool up = length == 3 && !strncmp(at, "../", 3);
        if (!empty && !same && !(up && drop_part(out)))
            text_add(out, at, length);
    }
}

void symbols_whole_path(const char *path, const char *folder, struct text *out)
{
    bool below = *path != '/' && folder;
    text_printf(out, "%s%s%s", below ? folder : "", below ? "/" : "", path);
}

bool symbols_is_system_file(const char *path)
{
    static const char *const folders[] = {"/usr/include/", "/usr/lib/", "/usr/lib64/", "/usr/libexec/",
                                          "/rustc/"};
    struct text clean = {0};
    symbols_clean_path(path, &clean);
    bool found = clean.len && strstr(clean.data, "/plumb/libstdc++/"); /* what plumb-c++ has instead */
    for (size_t i = 0; clean.len && i < sizeof folders / sizeof *folders; i++)
        found = found || !strncmp(clean.data, folders[i], strlen(folders[i]));
    text_free(&clean);
    return found;
}

/* The last row of the line table at or before `address`; rows are sorted by address. */
static bool find_row(Dwarf_Lines *lines, size_t count, uint64_t address, size_t *row)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        Dwarf_Addr at;
        if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &at) != 0)
            return false;
        if (at <= address)
            low = middle + 1;
        else
            high = middle;
    }
    *row = low - 1;
    return low > 0;
}

/* Code that the compiler made up has line 0: it belongs to what stands before it. */
static bool find_line(Dwarf_Die *unit, uint64_t address, struct symbol_frame *frame)
{
    Dwarf_Lines *lines;
    size_t count, row;
    if (dwarf_getsrclines(unit, &lines, &count) != 0 || !find_row(lines, count, address, &row))
        return false;
    for (;; row--) {
        Dwarf_Line *line = dwarf_onesrcline(lines, row);
        int number;
        bool end;
        if (!line || dwarf_lineendsequence(line, &end) != 0 || end || dwarf_lineno(line, &number) != 0)
            return false;
        if (number > 0) {
            frame->file = dwarf_linesrc(line, NULL, NULL);
            frame->line = (uint32_t)number;
            frame->column = dwarf_linecol(line, &number) == 0 && number > 0 ? (uint32_t)number : 0;
            return frame->file != NULL;
        }
        if (row == 0)
            return false;
    }
}

static void descend(Dwarf_Die *scope, uint64_t address, struct symbols_chain *chain, unsigned depth)
{
    Dwarf_Die die;
    if (depth > DEPTH_MOST)
        return;
    for (bool more = dwarf_child(scope, &die) == 0; more; more = symbols_next_die(&die)) {
        int tag = dwarf_tag(&die);
        bool inlined = tag == DW_TAG_inlined_subroutine;
        bool block = tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
        if (!(inlined || block) || dwarf_haspc(&die, address) != 1)
            continue;
        if (inlined && chain->count < SYMBOLS_CHAIN_MOST)
            chain->functions[chain->count++] = die;
        descend(&die, address, chain, depth + 1);
        return;
    }
}

void symbols_find_chain(struct symbols_module *m, uint64_t address, struct symbols_chain *chain)
{
    chain->count = 0;
    struct symbols_interval *function = symbols_index_find(&m->functions, address);
    if (!function)
        return;
    chain->functions[chain->count++] = function->die;
    descend(&function->die, address, chain, 0);
}

/* Where the function was inlined. */
static void find_call(Dwarf_Die *inlined, Dwarf_Die *unit, struct symbol_frame *frame)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    Dwarf_Files *files;
    size_t count;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) == 0 &&
        dwarf_getsrcfiles(unit, &files, &count) == 0 && number < count)
        frame->file = dwarf_filesrc(files, number, NULL, NULL);
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &number) == 0)
        frame->line = (uint32_t)number;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_column, &attribute), &number) == 0)
        frame->column = (uint32_t)number;
}

/* A name of the symbol table, for code without debug information. */
static unsigned find_symbol_frame(struct symbols_module *m, uint64_t address, struct symbol_frame *frame)
{
    struct symbols_interval *symbol = symbols_index_find(&m->symbols, address);
    if (!symbol && !frame->file)
        return 0;
    frame->function = symbol ? symbol->name : NULL;
    return 1;
}

const char *symbols_unit_folder(struct symbols_module *m, uint64_t address)
{
    struct symbols_interval *unit = symbols_index_find(&m->units, address);
    Dwarf_Attribute attribute;
    return unit ? dwarf_formstring(dwarf_attr(&unit->die, DW_AT_comp_dir, &attribute)) : NULL;
}

unsigned symbols_find_frames(struct symbols_module *m, uint64_t address, struct symbol_frame *frames)
{
    struct symbols_interval *unit = symbols_index_find(&m->units, address);
    struct symbols_chain chain;
    frames[0] = (struct symbol_frame){0};
    if (unit)
        find_line(&unit->die, address, &frames[0]);
    symbols_find_chain(m, address, &chain);
    if (!chain.count)
        return find_symbol_frame(m, address, &frames[0]);
    for (unsigned i = 0; i < chain.count; i++) {
        Dwarf_Die *die = &chain.functions[chain.count - 1 - i];
        frames[i].function = symbols_qualified_name(m, die);
        if (i + 1 == chain.count)
            break;
        frames[i + 1] = (struct symbol_frame){0};
        if (unit)
            find_call(die, &unit->die, &frames[i + 1]);
    }
    return chain.count;
}

bool symbols_frame_wraps(struct symbols_module *m, uint64_t address, unsigned number)
{
    struct symbols_chain chain;
    symbols_find_chain(m, address, &chain);
    return number < chain.count && symbols_is_wrapper(&chain.functions[chain.count - 1 - number]);
}

/* ------------------------------------------------------------------ mangled names */

typedef char *demangler(const char *name, char *buffer, size_t *length, int *status);

/* Where there are programs in C++ there is its library; the tool itself does not need it. */
static demangler *find_demangler(void)
{
    static demangler *found;
    static bool looked;
    void *library = looked ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library)
        *(void **)&found = dlsym(library, "__cxa_demangle");
    looked = true;
    return found;
}

void symbols_demangle(char *name, size_t room)
{
    int status = -1;
    demangler *demangle = strncmp(name, "_Z", 2) == 0 ? find_demangler() : NULL;
    char *text = demangle ? demangle(name, NULL, NULL, &status) : NULL;
    OWNED struct text rust = {0};
    if (text && status == 0) {
        rust_clean_legacy(text);
        snprintf(name, room, "%s", text);
    } else if (rust_demangle(name, &rust)) {
        snprintf(name, room, "%s", rust.data);
    }
    free(text);
}
