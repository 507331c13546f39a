/* SPDX-License-Identifier: Apache-2.0 */
#include "target/assembly.h"

#include "target/machine_code.h"

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

bool assembly_has_atomics(const char *path)
{
    int child;
    FILE *listing = machine_code_list(path, &child);
    char line[512];
    bool found = !listing;
    while (listing && fgets(line, sizeof line, listing))
        found |= is_atomic(line);
    return found || !machine_code_end(listing, child);
}
