/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_sources.h"

#include "base/text.h"

#include <string.h>

enum { FILES_MOST = 16, LINES_MOST = 4000, LINES_AROUND = 100 };

/* The lines of a file that steps are in. */
struct used_lines {
    const char *file;
    uint32_t first, last;
};

static void note_line(struct used_lines *used, size_t *count, const char *file, uint32_t line)
{
    size_t k = 0;
    if (!file)
        return;
    while (k < *count && strcmp(used[k].file, file) != 0)
        k++;
    if (k == FILES_MOST)
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

static bool read_source(const struct used_lines *used, struct arena *arena, struct report_source *out)
{
    struct text t = {0};
    bool fine = text_add_file(&t, used->file) && t.len;
    if (fine) {
        bool whole = count_lines(t.data) <= LINES_MOST;
        uint32_t before = whole || used->first <= LINES_AROUND ? 0 : used->first - LINES_AROUND;
        uint32_t most =
            used->last + LINES_AROUND - before < LINES_MOST ? used->last + LINES_AROUND - before : LINES_MOST;
        const char *start = skip_lines(t.data, before),
                   *end = whole ? t.data + strlen(t.data) : skip_lines(start, most);
        char *copy = arena_alloc(arena, (size_t)(end - start) + 1);
        memcpy(copy, start, (size_t)(end - start));
        copy[end - start] = 0;
        *out = (struct report_source){used->file, before + 1, copy};
    }
    text_free(&t);
    return fine;
}

void check_sources_read(struct report_execution *x, struct arena *arena)
{
    struct used_lines used[FILES_MOST];
    size_t count = 0;
    note_line(used, &count, x->file, x->line);
    for (size_t k = 0; k < x->event_count; k++)
        note_line(used, &count, x->events[k].file, x->events[k].line);
    struct report_source *sources = arena_alloc(arena, count * sizeof *sources + 1);
    for (size_t k = 0; k < count; k++)
        x->source_count += read_source(&used[k], arena, &sources[x->source_count]);
    x->sources = sources;
}
