/* SPDX-License-Identifier: Apache-2.0 */
/* The history of a round as a file. */
#include "formats/binary.h"
#include "history/jsonl.h"
#include "stress/stress_state.h"

#include <stdio.h>
#include <string.h>

enum { LINES_MOST = 200000 }; /* more are nothing to read: the binary format has a few bytes for each */

static char *choose_path(const char *path, size_t operations)
{
    struct text t = {0};
    const char *ending = operations > LINES_MOST ? strrchr(path, '.') : NULL;
    if (ending)
        text_printf(&t, "%.*s.bin", (int)(ending - path), path);
    else
        text_puts(&t, path);
    return text_take(&t);
}

static bool write_history(FILE *file, const struct history *h)
{
    struct diagnostic ignored = {0};
    if (h->ops.len > LINES_MOST)
        return binary_write(file, h, &ignored);
    for (size_t i = 0; i < h->ops.len; i++)
        jsonl_write_op(file, h, i);
    return !ferror(file);
}

char *stress_save_history(const struct stress_state *s, const struct stress_log *log, uint32_t object)
{
    if (!s->run->options.save)
        return NULL;
    struct history *h = stress_history(log, &s->run->harness, object, stress_log_base(log), 0);
    char *path = choose_path(s->run->options.save, h->ops.len);
    FILE *file = fopen(path, "we");
    bool written = file && write_history(file, h);
    written = file && fclose(file) == 0 && written;
    history_destroy(h);
    if (written)
        return path;
    free(path);
    return NULL;
}
