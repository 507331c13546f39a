/* SPDX-License-Identifier: Apache-2.0 */
/* All lines of the table, and who is asked about a function that has none. */
#include "base/hash.h"
#include "rt/hook.h"
#include "rt/library.h"

#include <features.h>
#include <fnmatch.h>
#include <string.h>

/* Of functions that depend on the locale and on environment variables, which other functions change. */
#define LOCALE " q=setlocale()"
#define ENV " q=getenv()+setenv() xenvironment"

#define F(name, items) {#name, items, false},
#define H(name, items) {#name, items, true},
#define P(pattern, items)
const struct library_line library_lines[] = {
#include "rt/library_strings.def"
#include "rt/library_stdlib.def"
#include "rt/library_stdio.def"
#include "rt/library_time.def"
#include "rt/library_files.def"
#include "rt/library_names.def"
#include "rt/library_math.def"
#include "rt/library_system.def"
#include "rt/library_cxx.def"
};
const size_t library_line_count = sizeof library_lines / sizeof *library_lines;
#undef F
#undef H
#undef P

#define F(name, items)
#define P(pattern, items) {pattern, items, false},
static const struct library_line patterns[] = {
#include "rt/library_cxx.def"
};
#undef F
#undef P

static struct hash_map numbers; /* of lines, by hash of the name */

static void number_lines(void)
{
    for (uint32_t k = 0; k < library_line_count; k++)
        *hash_map_at(&numbers, hash_bytes(library_lines[k].name, strlen(library_lines[k].name))) = k;
}

const struct library_line *library_find(const char *name)
{
    if (!numbers.count)
        number_lines();
    uint32_t number = hash_map_get(&numbers, hash_bytes(name, strlen(name)));
    if (number != HASH_NO_NUMBER && strcmp(library_lines[number].name, name) == 0)
        return &library_lines[number];
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
        if (fnmatch(patterns[k].name, name, 0) == 0)
            return &patterns[k];
    return NULL;
}

/* Libraries in which a function without line touches no memory of the program: mathematics, and what compilers call. */
bool library_is_harmless(const char *library)
{
    static const char *const names[] = {"libm.so", "libgcc_s.so", "ld-linux", "linux-vdso"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strncmp(library, names[k], strlen(names[k])) == 0)
            return true;
    return false;
}
