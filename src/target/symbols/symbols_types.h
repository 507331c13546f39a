/* SPDX-License-Identifier: Apache-2.0 */
/* Types as the debug information has them: which member an access touches, and how a value reads. Private to the
 * symbols. */
#ifndef TARGET_SYMBOLS_TYPES_H
#define TARGET_SYMBOLS_TYPES_H

#include "base/text.h"

#include <elfutils/libdw.h>

/* Without const, volatile, _Atomic and typedef; false when nothing is left (void). */
bool symbols_type_peel(Dwarf_Die *type, Dwarf_Die *out);

/* Bytes of an object of the type; 0: not known. */
uint64_t symbols_type_size(Dwarf_Die *type);

/* Does a structure end in an array of any length? */
bool symbols_type_is_open(Dwarf_Die *type);

/* Adds `.tail` or `[3].next` for [offset, offset + size) of an object of the type; *type becomes that of the smallest
 * member or element around it, in which the access begins *offset bytes from the start. */
#define SYMBOLS_WHOLE UINT64_MAX /* as size: the largest part that begins there, as pointers mean it */
void symbols_type_walk(Dwarf_Die *type, uint64_t *offset, uint64_t size, struct text *path);

/* Is it a library's own type around an object of its users, such as a node of std::list? */
bool symbols_type_is_holder(Dwarf_Die *type);

/* The first type that a template was made with. */
bool symbols_type_argument(Dwarf_Die *type, Dwarf_Die *argument);

/* What kind of value an object of the type has. */
enum symbols_value_kind { SYMBOLS_VALUE_OTHER, SYMBOLS_VALUE_NUMBER, SYMBOLS_VALUE_POINTER };
enum symbols_value_kind symbols_type_value_kind(Dwarf_Die *type);

/* Adds a number, truth value or enumerator, or a structure of these ("{index 2, tag 0}"); what stands in `value` beyond `size` bytes is ignored. False when the
 * type has other values. */
bool symbols_type_add_value(Dwarf_Die *type, uint64_t size, uint64_t value, struct text *out);

/* What a pointer type points to. */
bool symbols_type_target(Dwarf_Die *pointer, Dwarf_Die *target);

/* The name of a type, for naming objects; null: none. *peeled is the type without const, typedef and the like. */
const char *symbols_type_name(Dwarf_Die *type, Dwarf_Die *peeled);

/* The name of what a pointer type points to, for naming objects; null: none. *pointee is that type. */
const char *symbols_type_pointee(Dwarf_Die *pointer, Dwarf_Die *pointee);

#endif
