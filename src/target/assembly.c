/* SPDX-License-Identifier: Apache-2.0 */
#include "target/assembly.h"

#include "target/machine_code.h"

#include <stdlib.h>
#include <string.h>

/* "lock xadd ..." on x86, and xchg with memory, which locks by itself; exclusive and atomic accesses on aarch64. */
static bool is_atomic(const char *line)
{
    const char *code = strrchr(line, '\t'); /* address, then the instruction */
    const char *mnemonic = code ? code + 1 : line;
    if (strstr(line, "\tlock ") || strstr(mnemonic, "ldxr") || strstr(mnemonic, "ldaxr") ||
        strstr(mnemonic, "stlxr"))
        return true;
    return strncmp(mnemonic, "xchg", 4) == 0 && strchr(mnemonic, '(');
}

/* What plumb-as has marked is run by the runtime: a nop with a magic number, then one with the length of what follows. */
struct marked {
    bool begun;
    unsigned long from, to;
};

static void note_mark(struct marked *m, const char *line, unsigned long address)
{
    const char *nop = strstr(line, "nopl   0x");
    unsigned long number = 0;
    if (!nop || sscanf(nop, "nopl   %lx(%%rax,%%rax,1)", &number) != 1)
        return;
    if (m->begun) {
        m->from = address + 8;
        m->to = m->from + number;
    }
    m->begun = number == 0x73416c50;
}

bool assembly_has_atomics(const char *path)
{
    int child;
    FILE *listing = machine_code_list(path, &child);
    char line[512];
    bool found = !listing;
    struct marked marked = {0};
    while (listing && fgets(line, sizeof line, listing)) {
        unsigned long address = strtoul(line, NULL, 16);
        note_mark(&marked, line, address);
        found |= is_atomic(line) && (address < marked.from || address >= marked.to);
    }
    return found || !machine_code_end(listing, child);
}
