/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/task/task_property.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* Without blanks, which these files may have anywhere. */
static const struct {
    const char *formula;
    enum task_asks asks;
} formulas[] = {
    {"CHECK(init(main()),LTL(G!data-race))", TASK_ASKS_RACE},
    {"CHECK(init(main()),LTL(G!call(reach_error())))", TASK_ASKS_CALL},
    {"CHECK(init(main()),LTL(Gvalid-free))", TASK_ASKS_FREE},
    {"CHECK(init(main()),LTL(Gvalid-deref))", TASK_ASKS_DEREF},
    {"CHECK(init(main()),LTL(Gvalid-memtrack))", TASK_ASKS_MEMTRACK},
};

static uint32_t read_formula(char *line)
{
    char *end = line;
    for (const char *at = line; *at; at++)
        if (!isspace((unsigned char)*at))
            *end++ = *at;
    *end = 0;
    if (!*line || *line == '#')
        return TASK_ASKS_NOTHING;
    for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++)
        if (strcmp(line, formulas[k].formula) == 0)
            return formulas[k].asks;
    return TASK_ASKS_OTHER;
}

uint32_t task_property_read(const char *path)
{
    OWNED struct text all = {0};
    uint32_t asks = TASK_ASKS_NOTHING;
    if (!text_add_written_file(&all, path))
        return TASK_ASKS_UNREADABLE;
    for (char *rest = all.data, *line; rest && (line = strsep(&rest, "\n"));)
        asks |= read_formula(line);
    return asks;
}
