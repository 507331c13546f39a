/* SPDX-License-Identifier: Apache-2.0 */
#include "history/jsonl.h"

#include "history/jsonl_line.h"
#include "history/line_input.h"

static bool take_lines(void *reader, const char *first, const char *end)
{
    return jsonl_read_lines(reader, first, end);
}

static bool read_all(struct history *h, struct line_input in, struct diagnostic *d)
{
    struct jsonl_reader *r = NEW(struct jsonl_reader);
    r->history = h;
    r->scan.values = h->values;
    r->scan.d = d;
    in.line_count = &r->scan.line_number;
    bool fine = line_input_each(&in, take_lines, r, d);
    if (fine && r->added == 0)
        fine = diagnostic_set(d, PL_EMPTY_FILE, 0, 0, "the input has no operation");
    line_input_free(&in);
    jsonl_scan_free(&r->scan);
    free(r);
    return fine;
}

bool jsonl_read(struct history *h, int fd, struct diagnostic *d)
{
    return read_all(h, (struct line_input){.fd = fd}, d);
}

bool jsonl_read_rest(struct history *h, const char *bytes, size_t length, int fd, struct diagnostic *d)
{
    return read_all(h, (struct line_input){.head = bytes, .head_left = length, .fd = fd}, d);
}

bool jsonl_read_memory(struct history *h, const char *bytes, size_t length, struct diagnostic *d)
{
    return read_all(h, (struct line_input){.head = bytes, .head_left = length, .is_memory = true}, d);
}
