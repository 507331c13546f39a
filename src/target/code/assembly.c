/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/assembly.h"

#include "base/text.h"
#include "target/code/machine_code.h"
#include "target/symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

enum { NOP = 8 };

/* Where the reader of a listing is, and what it has found. */
struct reading {
    char function[MACHINE_NAME];
    bool marked_begins;
    unsigned long marked_from, marked_to; /* inline assembly that the runtime runs */
    unsigned count;
    unsigned long address; /* of the first one */
    char where[MACHINE_NAME], what[24];
};

static const char *mnemonic_of(const char *line)
{
    const char *code = strrchr(line, '\t'); /* address, then the instruction */
    return code ? code + 1 : line;
}

/* "lock xadd ..." on x86, and xchg with memory, which locks by itself; exclusive and atomic accesses on aarch64. */
static bool is_atomic(const char *line)
{
    static const char *const others[] = {"ldxr", "ldaxr", "stxr", "stlxr"};
    const char *mnemonic = mnemonic_of(line);
    if (strstr(line, "\tlock "))
        return true;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strncmp(mnemonic, others[k], strlen(others[k])) == 0)
            return true;
    return strncmp(mnemonic, "xchg", 4) == 0 && strchr(mnemonic, '(');
}

/* plumb-as writes a nop with a magic number, then one with the length of what follows. */
static void note_mark(struct reading *r, const char *line, unsigned long address)
{
    const char *nop = strstr(line, "nopl   ");
    char *end = NULL;
    unsigned long number = nop ? (unsigned long)strtol(nop + 7, &end, 16) : 0;
    if (!nop || strncmp(end, "(%rax,%rax,1)", 13) != 0)
        return;
    if (r->marked_begins) {
        r->marked_from = address + NOP;
        r->marked_to = r->marked_from + (number & 0x3fffffff);
    }
    r->marked_begins = number == MACHINE_MARK;
}

static bool is_marked(const struct reading *r, unsigned long address)
{
    return address >= r->marked_from && address < r->marked_to;
}

static void note_atomic(struct reading *r, const char *line, unsigned long address)
{
    const char *mnemonic = mnemonic_of(line);
    if (r->count++)
        return;
    r->address = address;
    snprintf(r->where, sizeof r->where, "%s", r->function);
    size_t prefix = strncmp(mnemonic, "lock ", 5) == 0 ? 5 : 0;
    snprintf(r->what, sizeof r->what, "%.*s", (int)(prefix + strcspn(mnemonic + prefix, " \n")), mnemonic);
}

static void read_line(struct reading *r, const char *line)
{
    char *end;
    unsigned long address = strtoul(line, &end, 16);
    if (sscanf(line, "%*x <%63[^>]>:", r->function) == 1 || *end != ':')
        return;
    note_mark(r, line, address);
    if (is_atomic(line) && !is_marked(r, address))
        note_atomic(r, line, address);
}

static char *tell(const struct reading *r, const char *path)
{
    struct text t = {0}, place = {0};
    struct worker_module module = {0};
    struct diagnostic ignored = {0};
    snprintf(module.path, sizeof module.path, "%s", path);
    struct symbols *symbols = symbols_open(&module, 1, &ignored);
    symbols_add_place(symbols, r->address + 1, &place);
    symbols_close(symbols);
    text_printf(&t, "%s in %s", r->what, r->where);
    if (place.len)
        text_printf(&t, " (%s)", place.data);
    if (r->count > 1)
        text_printf(&t, " and %u more", r->count - 1);
    text_free(&place);
    return text_take(&t);
}

char *assembly_find_unseen(const char *path, struct foreign *foreign)
{
    int child;
    FILE *listing = machine_code_list(path, &child);
    struct reading r = {0};
    char line[512];
    foreign_begin(foreign, path);
    while (listing && fgets(line, sizeof line, listing)) {
        read_line(&r, line);
        foreign_read_line(foreign, line);
    }
    foreign_end(foreign);
    if (!listing || !machine_code_end(listing, child)) {
        struct text t = {0};
        text_puts(&t, "objdump could not look for it");
        return text_take(&t);
    }
    return r.count ? tell(&r, path) : NULL;
}
