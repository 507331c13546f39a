/* SPDX-License-Identifier: Apache-2.0 */
/* All lines of the table, and who is asked about a function that has none. */
#include "rt/hook.h"
#include "rt/library/library.h"

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
#include "rt/library/library_strings.def"
#include "rt/library/library_stdlib.def"
#include "rt/library/library_stdio.def"
#include "rt/library/library_time.def"
#include "rt/library/library_files.def"
#include "rt/library/library_names.def"
#include "rt/library/library_math.def"
#include "rt/library/library_system.def"
#include "rt/library/library_cxx.def"
};
const size_t library_line_count = sizeof library_lines / sizeof *library_lines;
#undef F
#undef H
#undef P

#define F(name, items)
#define P(pattern, items) {pattern, items, false},
static const struct library_line patterns[] = {
#include "rt/library/library_cxx.def"
};
#undef F
#undef P

/* Chains of lines by hash of the name, numbers from 1. Every process makes them: it has to be quick. */
enum { CHAINS = 1 << 11 };
static uint16_t firsts[CHAINS], nexts[sizeof library_lines / sizeof *library_lines];
_Static_assert(sizeof library_lines / sizeof *library_lines < UINT16_MAX, "numbers fit");

static uint32_t chain_of(const char *name)
{
    uint32_t hash = 0;
    while (*name)
        hash = (hash ^ (uint8_t)*name++) * UINT32_C(0x01000193);
    return (hash ^ hash >> 15) % CHAINS;
}

static void chain_lines(void)
{
    for (uint32_t k = 0; k < library_line_count; k++) {
        uint16_t *first = &firsts[chain_of(library_lines[k].name)];
        nexts[k] = *first;
        *first = (uint16_t)(k + 1);
    }
}

const struct library_line *library_find(const char *name)
{
    static bool chained;
    if (!chained)
        chain_lines();
    chained = true;
    for (uint32_t number = firsts[chain_of(name)]; number; number = nexts[number - 1])
        if (strcmp(library_lines[number - 1].name, name) == 0)
            return &library_lines[number - 1];
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
