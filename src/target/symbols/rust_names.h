/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions compiled from Rust. */
#ifndef TARGET_RUST_NAMES_H
#define TARGET_RUST_NAMES_H

#include "base/text.h"

#include <stdbool.h>

/* Adds the source name of a symbol in Rust's v0 mangling (RFC 2603), without hashes of crates. False: it is none, or is
 * malformed; `out` is unchanged then. */
bool rust_demangle(const char *symbol, struct text *out);

/* Turns what a demangler for C++ makes of the older mangling (`_$LT$T$GT$::get::h0123456789abcdef`) into the source name. */
void rust_clean_legacy(char *name);

#endif
