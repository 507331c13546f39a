/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/binary_decode.h"

#include "history/value_text.h"

#include <string.h>
#include <zstd.h>

enum { DEPTH_MAX = 32 };

void binary_decoder_free(struct binary_decoder *r)
{
    vec_free(&r->names);
    vec_free(&r->strings);
    vec_free(&r->items);
    vec_free(&r->open);
}

bool binary_fail(struct binary_decoder *r, const char *message)
{
    diagnostic_set(r->d, PL_BAD_BINARY, 0, 0, "block %llu of the file: %s", (unsigned long long)r->block,
                   message);
    return false;
}

/* ---- numbers and values ---- */

static bool get_varint(struct binary_decoder *r, uint64_t *out)
{
    uint64_t u = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (r->at == r->end)
            return binary_fail(r, "a record ends early");
        unsigned char c = *r->at++;
        u |= (uint64_t)(c & 0x7f) << shift;
        if (c < 0x80) {
            *out = u;
            return shift < 63 || c < 2 || binary_fail(r, "a number is too large");
        }
    }
    return binary_fail(r, "a number is too large");
}

static bool is_utf8(const char *bytes, size_t length)
{
    for (size_t i = 0, one; i < length; i += one)
        if (!(one = value_utf8_length(bytes + i, length - i)))
            return false;
    return true;
}

static bool get_new_string(struct binary_decoder *r, uint64_t length, plumb_value *out)
{
    if (length > (uint64_t)(r->end - r->at))
        return binary_fail(r, "a string ends early");
    if (!is_utf8((const char *)r->at, length))
        return binary_fail(r, "a string is not UTF-8");
    *out = plumb_string(r->h->values, (const char *)r->at, length);
    r->at += length;
    vec_push(&r->strings, *out);
    return true;
}

static bool get_wide(struct binary_decoder *r, plumb_value *out)
{
    int64_t i;
    if (r->end - r->at < (ptrdiff_t)sizeof i)
        return binary_fail(r, "a number ends early");
    memcpy(&i, r->at, sizeof i);
    r->at += sizeof i;
    *out = plumb_int(r->h->values, i);
    return true;
}

static bool get_value(struct binary_decoder *r, unsigned depth, plumb_value *out);

static bool get_array(struct binary_decoder *r, uint64_t count, unsigned depth, plumb_value *out)
{
    size_t base = r->items.len;
    if (depth >= DEPTH_MAX)
        return binary_fail(r, "arrays are nested too deep");
    if (count > (uint64_t)(r->end - r->at))
        return binary_fail(r, "an array ends early");
    for (uint64_t i = 0; i < count; i++) {
        plumb_value item;
        if (!get_value(r, depth + 1, &item))
            return false;
        if (item == PLUMB_OK || item == PLUMB_ANY)
            return binary_fail(r, "an array has an item that is not a value");
        vec_push(&r->items, item);
    }
    vec_reserve(&r->items, 1);
    *out = plumb_array(r->h->values, r->items.data + base, count);
    r->items.len = base;
    return true;
}

static bool get_value(struct binary_decoder *r, unsigned depth, plumb_value *out)
{
    static const plumb_value specials[] = {PLUMB_NONE, PLUMB_FALSE, PLUMB_TRUE, PLUMB_OK, PLUMB_ANY};
    uint64_t head;
    if (!get_varint(r, &head))
        return false;
    uint64_t rest = head >> 3;
    switch (head & 7) {
    case BINARY_INT: *out = plumb_int(r->h->values, binary_unzigzag(rest)); return true;
    case BINARY_SPECIAL:
        if (rest >= sizeof specials / sizeof *specials)
            break;
        *out = specials[rest];
        return true;
    case BINARY_STRING:
        if (rest >= r->strings.len)
            break;
        *out = r->strings.data[rest];
        return true;
    case BINARY_NEW_STRING: return get_new_string(r, rest, out);
    case BINARY_ARRAY: return get_array(r, rest, depth, out);
    case BINARY_WIDE: return get_wide(r, out);
    }
    return binary_fail(r, "no value has this tag");
}

/* ---- records ---- */

static bool get_name(struct binary_decoder *r, uint64_t number, plumb_value *out)
{
    if (number >= r->names.len)
        return binary_fail(r, "a name was not given");
    *out = r->names.data[number];
    return true;
}

static bool get_stamp(struct binary_decoder *r, int64_t *out)
{
    uint64_t difference;
    if (!get_varint(r, &difference))
        return false;
    *out = r->last = (int64_t)((uint64_t)r->last + (uint64_t)binary_unzigzag(difference));
    return *out >= r->promise || binary_fail(r, "an event is older than blocks before it promised");
}

static bool get_thread(struct binary_decoder *r, uint64_t number, uint32_t *out)
{
    plumb_value name;
    if (!get_name(r, number, &name))
        return false;
    if (!plumb_is_int(name) && plumb_tag_of(name) != PLUMB_TAG_STRING)
        return binary_fail(r, "the name of a thread is neither an integer nor a string");
    *out = history_thread(r->h, name);
    while (r->open.len <= *out)
        vec_push(&r->open, (struct binary_open){0});
    return true;
}

static bool get_op_name(struct binary_decoder *r, uint64_t number, uint16_t *out)
{
    plumb_value name;
    size_t length;
    if (!get_name(r, number, &name))
        return false;
    if (plumb_tag_of(name) != PLUMB_TAG_STRING)
        return binary_fail(r, "the name of an operation is not a string");
    const char *bytes = plumb_string_of(r->h->values, name, &length);
    if (memchr(bytes, 0, length))
        return binary_fail(r, "the name of an operation has a zero byte");
    *out = history_op_name(r->h, bytes, length);
    return *out != HISTORY_NO_NAME || binary_fail(r, "there are too many names of operations");
}

static bool get_object(struct binary_decoder *r, uint64_t has_object, plumb_value *out)
{
    uint64_t number;
    *out = PLUMB_NONE;
    if (!has_object)
        return true;
    return get_varint(r, &number) && get_name(r, number, out);
}

static bool get_call(struct binary_decoder *r, uint64_t thread)
{
    struct history_event e = {.line = ++r->events};
    uint64_t word;
    plumb_value object;
    if (!get_thread(r, thread, &e.thread) || !get_stamp(r, &e.time) || !get_varint(r, &word) ||
        !get_op_name(r, word >> 1, &e.op) || !get_object(r, word & 1, &object) || !get_value(r, 0, &e.arg))
        return false;
    if (e.arg == PLUMB_ANY)
        return binary_fail(r, "an argument is unknown");
    struct binary_open *open = &r->open.data[e.thread];
    if (open->is_open)
        return binary_fail(r, "a thread calls while an operation of it is open");
    *open = (struct binary_open){true, e.time};
    e.object = history_object(r->h, object);
    return r->take(r->context, &e);
}

static bool get_return(struct binary_decoder *r, uint64_t thread)
{
    struct history_event e = {.line = ++r->events, .is_return = true};
    if (!get_thread(r, thread, &e.thread) || !get_stamp(r, &e.time) || !get_value(r, 0, &e.result))
        return false;
    struct binary_open *open = &r->open.data[e.thread];
    if (!open->is_open)
        return binary_fail(r, "a thread returns from nothing");
    if (e.time < open->call)
        return diagnostic_set(r->d, PL_RETURN_BEFORE_CALL, 0, 0,
                              "an operation returns at %lld, before its call at %lld", (long long)e.time,
                              (long long)open->call);
    open->is_open = false;
    return r->take(r->context, &e);
}

static bool is_text(const struct binary_decoder *r, plumb_value v, const char *text)
{
    size_t length;
    if (plumb_tag_of(v) != PLUMB_TAG_STRING)
        return false;
    const char *bytes = plumb_string_of(r->h->values, v, &length);
    return length == strlen(text) && !memcmp(bytes, text, length);
}

static bool get_mark(struct binary_decoder *r)
{
    struct history_mark m;
    r->events++;
    if (!get_stamp(r, &m.stamp) || !get_value(r, 0, &m.who) || !get_value(r, 0, &m.what) ||
        !get_value(r, 0, &m.value))
        return false;
    if (r->has_mark && r->last_mark > m.stamp)
        return binary_fail(r, "marks are not in order");
    r->has_mark = true;
    r->last_mark = m.stamp;
    if (is_text(r, m.who, BINARY_RECORDER) && is_text(r, m.what, BINARY_STAMPS))
        r->h->stamps = m.value;
    else if (r->keeps_marks)
        vec_push(&r->h->marks, m);
    return true;
}

static bool get_record(struct binary_decoder *r)
{
    uint64_t head;
    plumb_value name;
    if (!get_varint(r, &head))
        return false;
    switch (head & 3) {
    case RECORD_CALL: return get_call(r, head >> 2);
    case RECORD_RETURN: return get_return(r, head >> 2);
    case RECORD_MARK: return get_mark(r);
    default:
        if (!get_value(r, 0, &name))
            return false;
        vec_push(&r->names, name);
        return true;
    }
}

/* ---- blocks ---- */

static bool read_records(struct binary_decoder *r, const char *raw, const struct binary_header *header)
{
    uint64_t before = r->events;
    r->at = (const unsigned char *)raw;
    r->end = r->at + header->raw;
    r->last = 0;
    vec_clear(&r->names);
    vec_clear(&r->strings);
    while (r->at < r->end)
        if (!get_record(r))
            return false;
    return r->events - before == header->count ||
           binary_fail(r, "it does not have as many events as it says");
}

static bool read_events(struct binary_decoder *r, const struct binary_header *header, const char *stored)
{
    if (header->raw > BINARY_BLOCK_MAX)
        return binary_fail(r, "it is too large");
    char *raw = base_alloc((size_t)header->raw + 1);
    size_t size = ZSTD_decompress(raw, header->raw, stored, header->stored);
    bool fine = size == header->raw ? read_records(r, raw, header) : binary_fail(r, "it cannot be unpacked");
    free(raw);
    if (header->promise > r->promise)
        r->promise = header->promise;
    return fine;
}

static bool read_end(struct binary_decoder *r, const struct binary_header *header, const char *stored)
{
    uint64_t total;
    if (header->stored != sizeof total)
        return binary_fail(r, "the end mark has the wrong size");
    memcpy(&total, stored, sizeof total);
    r->has_ended = true;
    return total == r->events || binary_fail(r, "the end mark counts other events");
}

enum binary_found binary_find_block(const char *bytes, size_t length, struct binary_header *header)
{
    if (length < sizeof *header)
        return length ? BINARY_PARTIAL : BINARY_NOTHING;
    memcpy(header, bytes, sizeof *header);
    if (header->kind != BLOCK_EVENTS && header->kind != BLOCK_END)
        return BINARY_DAMAGED;
    if (header->stored > length - sizeof *header)
        return BINARY_PARTIAL;
    return binary_checksum(header, bytes + sizeof *header) == header->checksum ? BINARY_BLOCK
                                                                               : BINARY_DAMAGED;
}

bool binary_decode(struct binary_decoder *r, const struct binary_header *header, const char *stored)
{
    r->block++;
    return header->kind == BLOCK_END ? read_end(r, header, stored) : read_events(r, header, stored);
}

bool binary_check_magic(const char *bytes, struct diagnostic *d)
{
    if (memcmp(bytes, BINARY_MAGIC, BINARY_MAGIC_BYTES - 1))
        return diagnostic_set(d, PL_BAD_BINARY, 0, 0, "this is not a binary history");
    return bytes[BINARY_MAGIC_BYTES - 1] == BINARY_MAGIC[BINARY_MAGIC_BYTES - 1] ||
           diagnostic_set(d, PL_BAD_BINARY, 0, 0,
                          "a binary history of version %d, which this program does not know",
                          (unsigned char)bytes[BINARY_MAGIC_BYTES - 1]);
}

char *binary_cut_sentence(const struct binary_decoder *r, enum binary_found found)
{
    static const char *const why[] = {[BINARY_NOTHING] = "without an end mark",
                                      [BINARY_PARTIAL] = "in the middle of a block",
                                      [BINARY_DAMAGED] = "at a damaged block"};
    struct text sentence = {0};
    text_printf(&sentence, "the file is cut after %llu events, %s", (unsigned long long)r->events,
                why[found]);
    return text_take(&sentence);
}
