/* SPDX-License-Identifier: Apache-2.0 */
/* Input in pieces: a buffer that holds whole lines and the start of the next one. */
#include "history/jsonl.h"

#include "history/jsonl_line.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_FILE = 256 * 1024, BUFFER_MEMORY = 4096, LINE_MAX_BYTES = 64 * 1024 * 1024 };

struct source {
    const char *bytes; /* memory to read first */
    size_t left;
    int fd;
    bool is_memory; /* memory is all there is */
};

static ssize_t source_read(struct source *s, char *to, size_t room)
{
    if (s->left || s->is_memory) {
        size_t count = s->left < room ? s->left : room;
        memcpy(to, s->bytes, count);
        s->bytes += count;
        s->left -= count;
        return (ssize_t)count;
    }
    ssize_t got;
    do
        got = read(s->fd, to, room);
    while (got < 0 && errno == EINTR);
    return got;
}

struct buffer {
    char *data;
    size_t len, cap; /* JSONL_SLACK more bytes are allocated, and always initialised */
};

static void buffer_resize(struct buffer *b, size_t cap)
{
    b->data = base_realloc(b->data, cap + JSONL_SLACK);
    memset(b->data + b->cap, 0, cap - b->cap + JSONL_SLACK);
    b->cap = cap;
}

/* Reads all whole lines in the buffer and keeps the rest, in front. `fresh`: where new bytes start. */
static bool consume_lines(struct jsonl_reader *r, struct buffer *b, size_t fresh)
{
    const char *last = memrchr(b->data + fresh, '\n', b->len - fresh);
    if (last) {
        size_t used = (size_t)(last + 1 - b->data);
        if (!jsonl_read_lines(r, b->data, last + 1))
            return false;
        b->len -= used;
        memmove(b->data, b->data + used, b->len);
    }
    if (b->len < b->cap)
        return true;
    if (b->cap >= LINE_MAX_BYTES)
        return diagnostic_set(r->scan.d, PL_TOO_LARGE, r->scan.line_number + 1, 1,
                              "the line has %d bytes or more", LINE_MAX_BYTES);
    buffer_resize(b, b->cap * 2);
    return true;
}

static bool consume_rest(struct jsonl_reader *r, struct buffer *b)
{
    if (b->len) {
        b->data[b->len++] = '\n';
        if (!jsonl_read_lines(r, b->data, b->data + b->len))
            return false;
    }
    if (r->added == 0)
        return diagnostic_set(r->scan.d, PL_EMPTY_FILE, 0, 0, "the input has no operation");
    return true;
}

static bool read_source(struct jsonl_reader *r, struct buffer *b, struct source *s)
{
    for (;;) {
        ssize_t got = source_read(s, b->data + b->len, b->cap - b->len);
        if (got < 0)
            return diagnostic_set(r->scan.d, PL_CANNOT_OPEN, 0, 0, "cannot read the input: %s",
                                  strerror(errno));
        if (got == 0)
            return consume_rest(r, b);
        size_t fresh = b->len;
        b->len += (size_t)got;
        if (!consume_lines(r, b, fresh))
            return false;
    }
}

static bool read_all(struct history *h, struct source s, struct diagnostic *d)
{
    struct jsonl_reader *r = NEW(struct jsonl_reader);
    r->history = h;
    r->scan.values = h->values;
    r->scan.d = d;
    struct buffer b = {0};
    buffer_resize(&b, s.is_memory ? BUFFER_MEMORY : BUFFER_FILE);
    bool ok = read_source(r, &b, &s);
    free(b.data);
    jsonl_scan_free(&r->scan);
    free(r);
    return ok;
}

bool jsonl_read(struct history *h, int fd, struct diagnostic *d)
{
    return read_all(h, (struct source){.fd = fd}, d);
}

bool jsonl_read_rest(struct history *h, const char *bytes, size_t length, int fd, struct diagnostic *d)
{
    return read_all(h, (struct source){.bytes = bytes, .left = length, .fd = fd}, d);
}

bool jsonl_read_memory(struct history *h, const char *bytes, size_t length, struct diagnostic *d)
{
    return read_all(h, (struct source){.bytes = length ? bytes : "", .left = length, .is_memory = true}, d);
}
