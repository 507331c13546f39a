/* SPDX-License-Identifier: Apache-2.0 */
/* Recognising formats, and choosing how they are read and written. */
#include "formats/formats.h"

#include "formats/binary.h"
#include "formats/jepsen.h"
#include "history/events.h"
#include "history/jsonl.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const char *const format_names[FORMAT_COUNT] = {"auto", "jsonl", "bin", "edn", "log", "kv"};

enum { HEAD_BYTES = 64 * 1024 };

/* ---- detection ---- */

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && strchr(" \t\r\n\f,", *p) && *p)
        p++;
    return p;
}

static bool has_word(const char *p, const char *end, const char *word)
{
    return memmem(p, (size_t)(end - p), word, strlen(word)) != NULL;
}

/* A map: JSON has a quote behind the brace, or nothing. */
static enum format detect_map(const char *brace, const char *end)
{
    const char *p = skip_space(brace + 1, end);
    if (p == end || *p == '"' || *p == '}')
        return FORMAT_JSONL;
    const char *line_end = memchr(brace, '\n', (size_t)(end - brace));
    return has_word(brace, line_end ? line_end : end, ":key ") ? FORMAT_KV : FORMAT_EDN;
}

static bool is_log(const char *p, const char *end)
{
    static const char *const words[] = {"\t:invoke\t", " :invoke ", "\t:info\t", " :info "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(p, end, words[i]))
            return true;
    return false;
}

enum format format_detect(const char *bytes, size_t length)
{
    const char *end = bytes + length, *p = bytes;
    if (length >= 4 && !memcmp(bytes, BINARY_MAGIC, 4))
        return FORMAT_BINARY;
    if (length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
        p += 3;
    p = skip_space(p, end);
    if (p == end)
        return FORMAT_JSONL;
    if (*p == '{')
        return detect_map(p, end);
    if (*p == ';' || *p == '#' || *p == '(')
        return FORMAT_EDN;
    if (*p == '[') {
        const char *inner = skip_space(p + 1, end);
        if (inner < end && *inner == '{' && detect_map(inner, end) == FORMAT_JSONL)
            return FORMAT_JSONL; /* an array of objects: its reader says what is wrong */
        if (inner == end || strchr("{#;]", *inner))
            return FORMAT_EDN;
    }
    return is_log(p, end) ? FORMAT_LOG : FORMAT_AUTO;
}

/* ---- options ---- */

static bool take_choice(const char *item, size_t length, const char *name, const char *const values[2],
                        int *out)
{
    size_t prefix = strlen(name);
    if (length <= prefix || memcmp(item, name, prefix))
        return false;
    for (int i = 0; i < 2; i++)
        if (strlen(values[i]) == length - prefix && !memcmp(item + prefix, values[i], length - prefix)) {
            *out = i + 1;
            return true;
        }
    return false;
}

bool format_parse_jepsen(const char *text, struct format_options *o, struct diagnostic *d)
{
    static const char *const nils[] = {"any", "value"}, *const fails[] = {"drop", "false"},
                             *const keys[] = {"tuples", "none"};
    for (const char *p = text;;) {
        size_t length = strcspn(p, ",");
        int choice;
        if (take_choice(p, length, "nil=", nils, &choice))
            o->nil = (enum jepsen_nil)choice;
        else if (take_choice(p, length, "fail=", fails, &choice))
            o->fail = (enum jepsen_fail)choice;
        else if (take_choice(p, length, "keys=", keys, &choice))
            o->keys = (enum jepsen_keys)choice;
        else
            return diagnostic_set(
                d, PL_USAGE, 0, 0,
                "--jepsen takes nil=any or nil=value, fail=drop or fail=false, keys=tuples or "
                "keys=none, with commas between, not '%.100s'",
                text);
        if (!p[length])
            return true;
        p += length + 1;
    }
}

/* ---- reading ---- */

static char *take_notes(struct text *notes)
{
    return notes->len ? text_take(notes) : NULL;
}

bool format_read_memory(struct history *h, const char *bytes, size_t length, const struct format_options *o,
                        struct format_reading *out, struct diagnostic *d)
{
    struct text notes = {0};
    bool fine = false;
    *out = (struct format_reading){.format = o->format, .initial = PLUMB_OK};
    switch (o->format) {
    case FORMAT_BINARY: fine = binary_read(h, bytes, length, &out->cut, d); break;
    case FORMAT_EDN:
    case FORMAT_KV: fine = edn_read(h, bytes, length, o, &out->cut, d); break;
    case FORMAT_LOG:
        fine = log_read(h, bytes, length, o, &notes, &out->cut, d);
        if (jepsen_settle(o, FORMAT_LOG).nil == NIL_VALUE)
            out->initial = PLUMB_NONE;
        break;
    default: fine = jsonl_read_memory(h, bytes, length, d);
    }
    out->notes = take_notes(&notes);
    text_free(&notes);
    return fine;
}

/* Is there a whole line, or something that does not begin an object? */
static bool is_decided(const char *head)
{
    const char *p = head + strspn(head, "\n \r\t");
    return *p && (*p != '{' || strchr(p, '\n'));
}

/* Adds up to `most` bytes of the input; what is there already counts. With `first_line` no more than
 * is_decided needs. */
static bool read_bytes(int fd, struct text *t, size_t most, bool first_line, struct diagnostic *d)
{
    static const size_t PIECE = 1024 * 1024;
    char *piece = base_alloc(PIECE);
    ssize_t got = 1;
    while (t->len < most && got > 0 && !(first_line && t->len && is_decided(t->data))) {
        size_t room = most - t->len < PIECE ? most - t->len : PIECE;
        do
            got = read(fd, piece, room);
        while (got < 0 && errno == EINTR);
        if (got > 0)
            text_add(t, piece, (size_t)got);
    }
    free(piece);
    return got >= 0 || diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "cannot read the input: %s", strerror(errno));
}

bool format_starts_stream(int fd, struct text *head)
{
    struct diagnostic ignored = {0}; /* reading on fails, too */
    return read_bytes(fd, head, HEAD_BYTES, true, &ignored) && head->len &&
           event_starts(head->data, head->len);
}

static bool fail_unknown(struct diagnostic *d)
{
    return diagnostic_set(
        d, PL_UNKNOWN_FORMAT, 1, 1,
        "this is not a history in a format that is known here: JSON lines, binary, Jepsen's EDN or "
        "Jepsen's log (--format names one)");
}

bool format_read(struct history *h, int fd, const struct format_options *o, struct format_reading *out,
                 struct diagnostic *d)
{
    return format_read_rest(h, (struct text){0}, fd, o, out, d);
}

bool format_read_rest(struct history *h, struct text bytes, int fd, const struct format_options *o,
                      struct format_reading *out, struct diagnostic *d)
{
    struct format_options chosen = *o;
    *out = (struct format_reading){.format = FORMAT_JSONL, .initial = PLUMB_OK};
    text_puts(&bytes, "");
    bool fine = read_bytes(fd, &bytes, HEAD_BYTES, false, d);
    if (fine && chosen.format == FORMAT_AUTO)
        chosen.format = format_detect(bytes.data, bytes.len);
    if (fine && chosen.format == FORMAT_AUTO)
        fine = fail_unknown(d);
    else if (fine && chosen.format == FORMAT_JSONL && event_starts(bytes.data, bytes.len))
        fine = events_read(h, &bytes, fd, d);
    else if (fine && chosen.format == FORMAT_JSONL)
        fine = jsonl_read_rest(h, bytes.data, bytes.len, fd, d);
    else if (fine)
        fine = read_bytes(fd, &bytes, SIZE_MAX, false, d) &&
               format_read_memory(h, bytes.data, bytes.len, &chosen, out, d);
    text_free(&bytes);
    return fine;
}

void format_reading_free(struct format_reading *r)
{
    free(r->cut);
    free(r->notes);
    *r = (struct format_reading){0};
}

/* ---- writing ---- */

static bool name_fits_json(plumb_value name)
{
    return name == PLUMB_NONE || plumb_is_int(name) || plumb_tag_of(name) == PLUMB_TAG_STRING;
}

static bool write_jsonl(FILE *out, const struct history *h, struct text *notes, struct diagnostic *d)
{
    for (size_t i = 0; i < h->object_names.len; i++)
        if (!name_fits_json(h->object_names.data[i]))
            return diagnostic_set(
                d, PL_CANNOT_SAY, 0, 0,
                "format jsonl cannot say the name of an object that is neither an integer nor a "
                "string");
    if (!out)
        return true;
    if (h->marks.len)
        text_printf(
            notes,
            "%zu event%s beside the operations (of a nemesis, say) left out: jsonl has no words for that\n",
            h->marks.len, h->marks.len == 1 ? "" : "s");
    for (size_t i = 0; i < h->ops.len; i++)
        jsonl_write_op(out, h, i);
    return true;
}

bool format_write(FILE *out, const struct history *h, enum format format, struct text *notes,
                  struct diagnostic *d)
{
    switch (format) {
    case FORMAT_BINARY: return binary_write(out, h, d);
    case FORMAT_EDN:
    case FORMAT_LOG:
    case FORMAT_KV: return jepsen_write(out, h, format, notes, d);
    default: return write_jsonl(out, h, notes, d);
    }
}
