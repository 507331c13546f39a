/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_form.h"

#include "prove/prove_counters.h"

#include "base/memory.h"

/* --- lines of globals that change ------------------------------------------------------------------------------------ */

/* Most never do. Of the others an image has those that differ from the start; lines with addresses of blocks in them at the start
 * always, because blocks move. */
enum line_kind { LINE_COLD, LINE_HOT, LINE_ALWAYS };
static uint8_t *line_kinds;
struct prove_lines prove_hot_lines;

static void make_hot(uint32_t line, enum line_kind kind)
{
    line_kinds[line] = (uint8_t)kind;
    size_t at = prove_hot_lines.len;
    vec_push(&prove_hot_lines, line);
    for (; at && prove_hot_lines.data[at - 1] > line; at--)
        prove_hot_lines.data[at] = prove_hot_lines.data[at - 1];
    prove_hot_lines.data[at] = line;
}

static bool is_moving(uint64_t word)
{
    word &= PROVE_ADDRESS_MASK;
    return word - prove_dialects[0].arena < PROVE_ARENA_BYTES ||
           prove_is_on_stacks(prove.state.dialect, word);
}

void prove_globals_begin(void)
{
    const struct prove_program *p = &prove.program;
    uint32_t lines = (uint32_t)(p->globals_size / PROVE_LINE);
    line_kinds = NEW_ZEROED(uint8_t, lines + 1);
    for (uint32_t i = 0; i < lines; i++) {
        if (prove_counters_are_in((uint64_t)p->globals + (size_t)i * PROVE_LINE, PROVE_LINE))
            make_hot(i, LINE_ALWAYS);
        for (unsigned k = 0; k < PROVE_LINE / PROVE_WORD && !line_kinds[i]; k++)
            if (is_moving(((const uint64_t *)(p->globals_start + (size_t)i * PROVE_LINE))[k]))
                make_hot(i, LINE_ALWAYS);
    }
}

/* Whether or not a hook announced it. */
void prove_lines_look(void)
{
    const struct prove_program *p = &prove.program;
    enum { CHUNK = 4096 };
    for (size_t at = 0; at < p->globals_size; at += CHUNK) {
        size_t size = p->globals_size - at < CHUNK ? p->globals_size - at : CHUNK;
        if (!memcmp(p->globals + at, p->globals_start + at, size))
            continue;
        for (size_t i = at; i < at + size; i += PROVE_LINE)
            if (!line_kinds[i / PROVE_LINE] && memcmp(p->globals + i, p->globals_start + i, PROVE_LINE) != 0)
                make_hot((uint32_t)(i / PROVE_LINE), LINE_HOT);
    }
}

/* --- words that grow --------------------------------------------------------------------------------------- */

/* Of each word of four bytes the largest value so far, and how often that was a new one. */
static uint32_t *tops, *rises;

void prove_lines_watch(void)
{
    const struct prove_program *p = &prove.program;
    enum { WORD = sizeof *tops, LARGEST = 1 << 30 };
    if (!tops) {
        tops = NEW_ZEROED(uint32_t, p->globals_size / WORD + 1);
        rises = NEW_ZEROED(uint32_t, p->globals_size / WORD + 1);
    }
    for (size_t i = 0; i < prove_hot_lines.len; i++)
        for (size_t k = 0; k < PROVE_LINE / WORD; k++) {
            size_t at = (size_t)prove_hot_lines.data[i] * (PROVE_LINE / WORD) + k;
            uint32_t value = ((const uint32_t *)p->globals)[at];
            if (value > tops[at] && value < LARGEST) {
                tops[at] = value;
                rises[at]++;
            }
        }
}

uint64_t prove_lines_growing(uint32_t *values)
{
    const struct prove_program *p = &prove.program;
    enum { MANY = 300 };
    size_t most = 0;
    for (size_t i = 0; rises && i < p->globals_size / sizeof *rises; i++)
        most = rises[i] > rises[most] ? i : most;
    if (!rises || rises[most] < MANY)
        return 0;
    *values = rises[most];
    return (uint64_t)p->globals + most * sizeof *rises - p->base;
}

bool prove_line_is_always(uint32_t line)
{
    return line_kinds[line] == LINE_ALWAYS;
}
