/* SPDX-License-Identifier: Apache-2.0 */
#include "history/line_input.h"

#include "base/interruption.h"
#include "base/memory.h"
#include "history/jsonl_scan.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_FILE = 256 * 1024, BUFFER_MEMORY = 4096, LINE_MAX_BYTES = 64 * 1024 * 1024 };

static ssize_t read_piece(struct line_input *in)
{
    char *to = in->data + in->len;
    size_t room = in->cap - in->len;
    if (in->head_left || in->is_memory) {
        size_t count = in->head_left < room ? in->head_left : room;
        if (count)
            memcpy(to, in->head, count);
        in->head += count;
        in->head_left -= count;
        return (ssize_t)count;
    }
    ssize_t got;
    while ((got = read(in->fd, to, room)) < 0 && errno == EINTR)
        interruption_obey("while the input was read");
    return got;
}

static void grow(struct line_input *in)
{
    size_t cap = in->cap ? in->cap * 2 : in->is_memory ? BUFFER_MEMORY : BUFFER_FILE;
    in->data = base_realloc(in->data, cap + JSONL_SLACK);
    memset(in->data + in->cap, 0, cap - in->cap + JSONL_SLACK);
    in->cap = cap;
}

bool line_input_read(struct line_input *in, bool *more, struct diagnostic *d)
{
    if (in->len == in->cap && in->cap >= LINE_MAX_BYTES)
        return diagnostic_set(d, PL_TOO_LARGE, *in->line_count + 1, 1, "the line has %d bytes or more",
                              LINE_MAX_BYTES);
    if (in->len == in->cap)
        grow(in);
    ssize_t got = read_piece(in);
    if (got < 0)
        return diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "cannot read the input: %s", strerror(errno));
    in->len += (size_t)got;
    *more = got > 0;
    return true;
}

const char *line_input_end(struct line_input *in)
{
    const char *last = in->len ? memrchr(in->data + in->searched, '\n', in->len - in->searched) : NULL;
    if (!last)
        in->searched = in->len;
    return last ? last + 1 : NULL;
}

void line_input_drop(struct line_input *in, const char *end)
{
    in->len -= (size_t)(end - in->data);
    memmove(in->data, end, in->len);
    in->searched = in->len;
}

const char *line_input_last(struct line_input *in)
{
    if (!in->len)
        return NULL;
    in->data[in->len++] = '\n';
    return in->data + in->len;
}

bool line_input_each(struct line_input *in, bool (*take)(void *context, const char *first, const char *end),
                     void *context, struct diagnostic *d)
{
    bool more = true;
    while (more) {
        if (!line_input_read(in, &more, d))
            return false;
        const char *end = more ? line_input_end(in) : line_input_last(in);
        if (end && !take(context, in->data, end))
            return false;
        if (end)
            line_input_drop(in, end);
    }
    return true;
}

void line_input_free(struct line_input *in)
{
    free(in->data);
}
