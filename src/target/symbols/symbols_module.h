/* SPDX-License-Identifier: Apache-2.0 */
/* One file of the program under test: what lies where. Private to the symbols. Addresses here are the file's own,
 * without the distance at which it was loaded. */
#ifndef TARGET_SYMBOLS_MODULE_H
#define TARGET_SYMBOLS_MODULE_H

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "target/symbols/symbols.h"

#include <elfutils/libdw.h>

struct symbols_interval {
    uint64_t low, high;
    Dwarf_Die die;
    uint64_t shift;   /* variables: what lies at `low` is this far inside the variable */
    const char *name; /* of a symbol; of a variable once it was asked for */
};

/* Sorted by low end. Strange files have overlaps: of those the interval that begins last counts. */
struct symbols_index {
    struct symbols_interval *data;
    size_t len, cap;
};

/* "lib::stack<int>::" and the like. */
struct symbols_scopes {
    const char **data;
    size_t len, cap;
};

struct symbols_type {
    const char *name, *scope; /* scope: "lib::stack<int>::", or empty */
    Dwarf_Die die;
};

struct symbols_type_list {
    struct symbols_type *data;
    size_t len, cap;
};

struct symbols_module {
    char *path, *name; /* name: the last part of the path */
    int fd;
    Elf *elf;
    Dwarf *dwarf;
    uint64_t bias;      /* run-time address minus the file's */
    uint64_t low, high; /* of the file's segments; nothing: the file cannot be read */
    bool indexed;
    uint32_t visits; /* entries seen: in a broken file the same one may come again and again */
    struct symbols_index units, functions, variables; /* from the debug information */
    struct symbols_index storage;                     /* each thread's own, from where that begins */
    struct symbols_index symbols;                     /* from the symbol table */
    /* Number of the class or namespace of what is declared there, by address of the entry */
    struct hash_map scope_of;
    struct symbols_scopes scopes;
    struct symbols_type_list types;
    struct arena strings;
};

/* False when the file cannot be read; the module is then empty, but usable. */
bool symbols_module_open(struct symbols_module *m, const char *path, uint64_t base);
void symbols_module_close(struct symbols_module *m);

/* Reads all names, once. */
void symbols_module_index(struct symbols_module *m);

/* Null: none. Valid as long as the module. */
struct symbols_interval *symbols_index_find(const struct symbols_index *index, uint64_t address);

/* Goes on to the next child of the same parent. Unlike libdw, does not follow a file that goes backwards. */
bool symbols_next_die(Dwarf_Die *die);

/* What attribute `name` of the entry, or of the one it completes, refers to. */
bool symbols_die_reference(Dwarf_Die *die, unsigned name, Dwarf_Die *out);

/* "stack::pop", with names of classes and namespaces but not of functions; null when there is no name. */
const char *symbols_qualified_name(struct symbols_module *m, Dwarf_Die *die);

/* "queue<...>::head": without long arguments of templates. */
const char *symbols_shorten_name(struct symbols_module *m, const char *name);

enum { SYMBOLS_CHAIN_MOST = 24 };

/* The function at an address and what was inlined into it there, outermost first. */
struct symbols_chain {
    Dwarf_Die functions[SYMBOLS_CHAIN_MOST];
    unsigned count;
};

void symbols_find_chain(struct symbols_module *m, uint64_t address, struct symbols_chain *chain);

/* Fills in at most SYMBOLS_CHAIN_MOST frames, innermost first; returns their number. */
unsigned symbols_find_frames(struct symbols_module *m, uint64_t address, struct symbol_frame *frames);
/* Is frame `number` of them a layer around atomics (symbols_wrappers.h)? */
bool symbols_frame_wraps(struct symbols_module *m, uint64_t address, unsigned number);
/* Where the file of that code was compiled; null: unknown. */
const char *symbols_unit_folder(struct symbols_module *m, uint64_t address);

/* Adds the path, below `folder` (or null) when it is relative. */
void symbols_whole_path(const char *path, const char *folder, struct text *out);
/* Without "." and ".." and doubled slashes; replaces what `out` has. */
void symbols_clean_path(const char *path, struct text *out);

#endif
