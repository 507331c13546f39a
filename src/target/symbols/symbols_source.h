/* SPDX-License-Identifier: Apache-2.0 */
/* Types that a line of the source names where it allocates: `new T`, `sizeof(struct node)`, `sizeof *n`, `sizeof *q->slots`. Private to the
 * symbols. */
#ifndef TARGET_SYMBOLS_SOURCE_H
#define TARGET_SYMBOLS_SOURCE_H

#include "base/text.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

enum { SOURCE_TYPES_MOST = 4, SOURCE_TYPE_LENGTH = 128 };

struct source_type {
    char text[SOURCE_TYPE_LENGTH]; /* as written, without "struct" and spaces at its ends */
    bool variable;                 /* what a variable of this name, or a member, points to */
    bool array;                    /* new T[n] */
    bool made;                     /* by new: objects of this type, and no others */
};

/* Of the statement at that place (column 0: unknown), in the order of the text; returns their number. */
unsigned symbols_source_types(const char *path, uint32_t line, uint32_t column, struct source_type *list);

/* Is `name`, of the debug information, what the text names, whatever stands between < and >? */
bool symbols_source_has_name(const char *name, const char *text);
/* With what stands there. */
bool symbols_source_is_same(const char *text, const char *name);

/* The type that a parameter of the template stands for, of the function, its class, or a class around that. */
bool symbols_find_template_type(Dwarf_Die *function, const char *name, Dwarf_Die *type);
/* std::atomic<T> becomes std::atomic<long int>. */
void symbols_put_template_types(Dwarf_Die *function, struct source_type *t);

/* What a variable points to that the function has, or its file, or a member of one: "n", "q->slots". */
bool symbols_find_pointee(Dwarf_Die *function, const char *path, Dwarf_Die *type);

#endif
