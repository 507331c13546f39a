/* SPDX-License-Identifier: Apache-2.0 */
/* Recognising formats, and choosing how they are read and written. */
#include "formats/formats.h"

#include "base/interruption.h"
#include "formats/binary.h"
#include "formats/jepsen.h"
#include "history/events.h"
#include "history/jsonl.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_BYTES = 64 * 1024 };

/* What a reader gets, and what it leaves. */
struct format_input {
    struct history *history;
    const char *bytes;
    size_t length;
    const struct format_options *options;
    struct format_reading *out;
    struct text *notes;
};

/* How a format is read, as a whole, and written. */
struct format_kind {
    const char *name;  /* for --format and --to, and the ending of files */
    const char *title; /* in messages; null: it is a variant of one that has */
    /* Every format has both. */
    bool (*read)(const struct format_input *in, struct diagnostic *d);
    bool (*write)(FILE *out, const struct history *h, enum format format, struct text *notes,
                  struct diagnostic *d);
};

static bool read_jsonl(const struct format_input *in, struct diagnostic *d)
{
    return jsonl_read_memory(in->history, in->bytes, in->length, d);
}

static bool read_binary(const struct format_input *in, struct diagnostic *d)
{
    return binary_read(in->history, in->bytes, in->length, &in->out->cut, d);
}

static bool read_edn(const struct format_input *in, struct diagnostic *d)
{
    return edn_read(in->history, in->bytes, in->length, in->options, &in->out->cut, d);
}

static bool read_log(const struct format_input *in, struct diagnostic *d)
{
    if (jepsen_settle(in->options, FORMAT_LOG).nil == NIL_VALUE)
        in->out->initial = PLUMB_NONE;
    return log_read(in->history, in->bytes, in->length, in->options, in->notes, &in->out->cut, d);
}

static bool write_jsonl(FILE *out, const struct history *h, enum format format, struct text *notes,
                        struct diagnostic *d);

static bool write_binary(FILE *out, const struct history *h, enum format format, struct text *notes,
                         struct diagnostic *d)
{
    (void)format, (void)notes;
    return binary_write(out, h, d);
}

/* A new format is a row here, and something that format_detect knows it by. */
static const struct format_kind formats[FORMAT_COUNT] = {
    [FORMAT_AUTO] = {"auto", NULL, NULL, NULL},
    [FORMAT_JSONL] = {"jsonl", "JSON lines", read_jsonl, write_jsonl},
    [FORMAT_BINARY] = {"bin", "binary", read_binary, write_binary},
    [FORMAT_EDN] = {"edn", "Jepsen's EDN", read_edn, jepsen_write},
    [FORMAT_LOG] = {"log", "Jepsen's log", read_log, jepsen_write},
    [FORMAT_KV] = {"kv", NULL, read_edn, jepsen_write},
};

const char *format_name(enum format format)
{
    return formats[format].name;
}

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

bool format_read_memory(struct history *h, const char *bytes, size_t length, const struct format_options *o,
                        struct format_reading *out, struct diagnostic *d)
{
    struct text notes = {0};
    *out = (struct format_reading){.format = o->format, .initial = PLUMB_OK};
    bool fine = formats[o->format].read(&(struct format_input){h, bytes, length, o, out, &notes}, d);
    out->notes = notes.len ? text_take(&notes) : NULL;
    text_free(&notes);
    return fine;
}

/* Is there a whole line, or something that does not begin an object? */
static bool is_decided(const char *head)
{
    const char *p = head + strspn(head, "\n \r\t");
    if (!memcmp(p, BINARY_MAGIC, 1) && strlen(p) < BINARY_MAGIC_BYTES)
        return false;
    return *p && (*p != '{' || strchr(p, '\n'));
}

bool format_is_recognised(const struct text *head)
{
    return head->len && is_decided(head->data);
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
        while ((got = read(fd, piece, room)) < 0 && errno == EINTR)
            interruption_obey("while the input was read");
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
    struct text known = {0};
    size_t left = 0;
    for (size_t f = 0; f < FORMAT_COUNT; f++)
        left += formats[f].title != NULL;
    for (size_t f = 0; f < FORMAT_COUNT; f++)
        if (formats[f].title)
            text_printf(&known, "%s%s", formats[f].title, --left > 1 ? ", " : left ? " or " : "");
    diagnostic_set(d, PL_UNKNOWN_FORMAT, 1, 1,
                   "this is not a history in a format that is known here: %s (--format names one)",
                   known.data);
    text_free(&known);
    return false;
}

bool format_read(struct history *h, int fd, const struct format_options *o, struct format_reading *out,
                 struct diagnostic *d)
{
    return format_read_rest(h, (struct text){0}, fd, o, out, d);
}

/* These formats are read as a whole. */
static bool read_whole(int fd, struct text *t, struct diagnostic *d)
{
    static const size_t most = (size_t)4 << 30;
    return read_bytes(fd, t, most + 1, false, d) &&
           (t->len <= most ||
            diagnostic_set(d, PL_TOO_LARGE, 0, 0,
                           "the input has more than 4 GiB: only JSON lines may be larger in one file"));
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
        fine = read_whole(fd, &bytes, d) && format_read_memory(h, bytes.data, bytes.len, &chosen, out, d);
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

static bool write_jsonl(FILE *out, const struct history *h, enum format format, struct text *notes,
                        struct diagnostic *d)
{
    (void)format;
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
    return formats[format].write(out, h, format, notes, d);
}
