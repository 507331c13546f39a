/* SPDX-License-Identifier: Apache-2.0 */
/* The loaded modules, and whether the compiler announced their accesses. */
#ifndef ENGINE_MODULES_H
#define ENGINE_MODULES_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct module {
    uintptr_t from, to;
    uintptr_t base;
    const char *name;                  /* without folder; empty: the program itself */
    bool is_system;                    /* snapshot_is_system_library */
    bool is_instrumented;              /* some of its code announces its accesses */
    const ElfW(Rela) * relocations[2]; /* of functions, of everything else */
    size_t counts[2];
    const ElfW(Sym) * symbols;
    const char *names;
    void (*const *endings)(void); /* functions that are called when the process ends, the last one first */
    size_t ending_count;
};

void modules_find(void); /* once, before the others */
size_t modules_count(void);
const struct module *modules_at(size_t index);
const struct module *modules_of(const void *address); /* or null */

/* The name of the function or variable a relocation is about; empty: none. */
const char *modules_symbol(const struct module *m, const ElfW(Rela) * r);

#endif
