/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_sources.h"

#include "base/text.h"

#include <string.h>

enum { PARTS_MOST = 64, LINES_MOST = 4000, LINES_AROUND = 100 };

/* Lines of a file that steps are in, not far from each other. */
struct used_lines {
    const char *file;
    uint32_t first, last;
};

static bool is_near(const struct used_lines *used, const char *file, uint32_t line)
{
    return strcmp(used->file, file) == 0 && line + 2 * LINES_AROUND >= used->first &&
           line <= used->last + 2 * LINES_AROUND;
}

static void note_line(struct used_lines *used, size_t *count, const char *file, uint32_t line)
{
    size_t k = 0;
    if (!file)
        return;
    while (k < *count && !is_near(&used[k], file, line))
        k++;
    if (k == PARTS_MOST)
        return;
    if (k == *count)
        used[(*count)++] = (struct used_lines){file, line, line};
    used[k].first = line < used[k].first ? line : used[k].first;
    used[k].last = line > used[k].last ? line : used[k].last;
}

static uint32_t count_lines(const char *s)
{
    uint32_t lines = 1;
    for (; *s; s++)
        lines += *s == '\n';
    return lines;
}

static const char *skip_lines(const char *s, uint32_t lines)
{
    for (; lines && *s; s++)
        lines -= *s == '\n';
    return s;
}

/* A file may have bytes of zero, at which a string would end. */
static bool read_text(const char *file, struct text *t)
{
    if (!text_add_file(t, file) || !t->len)
        return false;
    for (size_t k = 0; k < t->len; k++)
        if (!t->data[k])
            t->data[k] = ' ';
    return true;
}

/* All of a file that is short; else the part that is used, and what surrounds it. */
static struct report_source cut_source(const struct used_lines *used, const char *text, struct arena *arena)
{
    bool whole = count_lines(text) <= LINES_MOST;
    uint32_t before = whole || used->first <= LINES_AROUND ? 0 : used->first - LINES_AROUND;
    uint32_t wanted = used->last + LINES_AROUND - before, most = wanted < LINES_MOST ? wanted : LINES_MOST;
    const char *start = skip_lines(text, before),
               *end = whole ? text + strlen(text) : skip_lines(start, most);
    return (struct report_source){used->file, before + 1, arena_copy(arena, start, (size_t)(end - start))};
}

static bool has_line(const struct report_source *sources, size_t count, const struct used_lines *used)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(sources[k].file, used->file) == 0 && used->first >= sources[k].first &&
            used->last - sources[k].first < count_lines(sources[k].text))
            return true;
    return false;
}

void explain_sources(struct report_execution *x, struct arena *arena)
{
    struct used_lines used[PARTS_MOST];
    size_t count = 0;
    note_line(used, &count, x->file, x->line);
    for (size_t k = 0; k < x->event_count; k++)
        note_line(used, &count, x->events[k].file, x->events[k].line);
    struct report_source *sources = arena_alloc(arena, count * sizeof *sources + 1);
    for (size_t k = 0; k < count; k++) {
        struct text t = {0};
        if (!has_line(sources, x->source_count, &used[k]) && read_text(used[k].file, &t))
            sources[x->source_count++] = cut_source(&used[k], t.data, arena);
        text_free(&t);
    }
    x->sources = sources;
}
