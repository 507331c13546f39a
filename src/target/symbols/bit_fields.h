/* SPDX-License-Identifier: Apache-2.0 */
/* Bit-fields: storing one reads its neighbours, which gcc does not announce. */
#ifndef TARGET_BIT_FIELDS_H
#define TARGET_BIT_FIELDS_H

/* Of the types of a program, as its debug information has them, without those of system headers: "file:line" of the first
 * bit-field, for the caller to free. Null: there is none. */
char *bit_fields_find(const char *path);

#endif
