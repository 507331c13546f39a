/* SPDX-License-Identifier: Apache-2.0 */
/* From lines to operations: what the members of an object mean. */
#include "history/jsonl.h"

#include "history/jsonl_scan.h"
#include "history/line_input.h"
#include "history/value_text.h"

#include <string.h>

/* Short names are compared as words: the first byte has to be the lowest. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little-endian only");

enum member { THREAD, OBJECT, OP, ARG, RESULT, CALL, RETURN, MEMBER_COUNT };

static const char *const member_names[MEMBER_COUNT + 1] = {"thread", "object", "op",    "arg",
                                                           "result", "call",   "return"};

enum { SMALL_THREADS = 1024, CACHED_NAMES = 64 };

/* An operation name of 1 to 15 bytes without escapes; length 0: no name here yet. */
struct cached_name {
    uint64_t words[2];
    uint16_t op;
    uint8_t length;
};

struct reader {
    struct jsonl_scan scan;
    struct history *history;
    size_t added;                          /* operations */
    uint32_t small_threads[SMALL_THREADS]; /* number + 1 of threads named 0, 1, 2, ... */
    struct cached_name names[CACHED_NAMES];
};

#define EVENTS_HINT "; a stream of call and return events is a different format"

/* The operation of the current line as far as it is read. */
struct line {
    struct jsonl_object members; /* the first member */
    struct reader *r;
    struct history_op op;
    uint32_t object;
};

/* ---- member values ---- */

static const char *fail_kind(struct line *l, const char *at, enum member m, const char *kind)
{
    bool event = (m == CALL && *at == '"') || (m == RETURN && (*at == 't' || *at == 'f'));
    return jsonl_fail_kind(&l->members, at, m, kind, event ? EVENTS_HINT : NULL);
}

static const char *read_stamp(struct line *l, const char *at, enum member m, int64_t *out)
{
    if (!jsonl_starts_number(*at))
        return fail_kind(l, at, m, "an integer");
    return jsonl_scan_int(&l->r->scan, at, out);
}

static const char *read_return(struct line *l, const char *at)
{
    if (memcmp(at, "null", 4) == 0)
        return at + 4;
    l->op.pending = 0;
    return read_stamp(l, at, RETURN, &l->op.ret);
}

static uint32_t small_thread(struct reader *r, int64_t name)
{
    uint32_t *known = &r->small_threads[name];
    if (!*known)
        *known = history_thread(r->history, plumb_int(r->history->values, name)) + 1;
    return *known - 1;
}

static const char *read_thread(struct line *l, const char *at, uint32_t *thread)
{
    struct reader *r = l->r;
    if (*at >= '0' && *at <= '9') {
        int64_t name;
        const char *p = jsonl_scan_int(&r->scan, at, &name);
        if (p)
            *thread = name < SMALL_THREADS ? small_thread(r, name)
                                           : history_thread(r->history, plumb_int(r->history->values, name));
        return p;
    }
    plumb_value name;
    const char *p = jsonl_scan_identity(&l->members, at, THREAD, &name);
    if (p)
        *thread = history_thread(r->history, name);
    return p;
}

static const char *read_object(struct line *l, const char *at)
{
    plumb_value name;
    const char *p = jsonl_scan_identity(&l->members, at, OBJECT, &name);
    if (p)
        l->object = history_object(l->r->history, name);
    return p;
}

/* ---- operation names ---- */

/* A bit in the highest bit of the first byte that is a quote; higher bytes may have it wrongly. */
static uint64_t find_quote(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t x = word ^ ones * '"';
    return (x - ones) & ~x & ones * 0x80;
}

/* The up to 15 bytes before the next quote as words filled up with zeros; 16: there are more. */
static unsigned load_short_name(const char *at, uint64_t words[2])
{
    memcpy(words, at, 16);
    uint64_t quote = find_quote(words[0]);
    if (quote) {
        unsigned length = (unsigned)__builtin_ctzll(quote) / 8;
        words[0] &= ((uint64_t)1 << length * 8) - 1;
        words[1] = 0;
        return length;
    }
    quote = find_quote(words[1]);
    if (!quote)
        return 16;
    unsigned length = (unsigned)__builtin_ctzll(quote) / 8;
    words[1] &= ((uint64_t)1 << length * 8) - 1;
    return 8 + length;
}

static const char *read_new_op(struct line *l, const char *at, uint16_t *op)
{
    if (*at != '"')
        return fail_kind(l, at, OP, "a string");
    return jsonl_scan_op_name(&l->r->scan, at, l->r->history, op);
}

/* A name read the long way gets into the cache when its first quote is the closing one: the same bytes
 * mean the same name again. */
static const char *read_op(struct line *l, const char *at, uint16_t *op)
{
    uint64_t words[2];
    unsigned length = *at == '"' ? load_short_name(at + 1, words) : 16;
    if (length == 0 || length == 16)
        return read_new_op(l, at, op);
    struct cached_name *known = &l->r->names[hash_word(words[0] ^ words[1]) % CACHED_NAMES];
    if (known->length == length && known->words[0] == words[0] && known->words[1] == words[1]) {
        *op = known->op;
        return at + 1 + length + 1;
    }
    const char *p = read_new_op(l, at, op);
    if (p == at + 1 + length + 1)
        *known = (struct cached_name){{words[0], words[1]}, *op, (uint8_t)length};
    return p;
}

/* ---- members ---- */

#define NAME_IS(at, text) (memcmp((at), text "\"", sizeof text) == 0)

static enum member plain_member_name(const char *at)
{
    switch (*at) {
    case 't': return NAME_IS(at, "thread") ? THREAD : MEMBER_COUNT;
    case 'o': return NAME_IS(at, "op") ? OP : NAME_IS(at, "object") ? OBJECT : MEMBER_COUNT;
    case 'a': return NAME_IS(at, "arg") ? ARG : MEMBER_COUNT;
    case 'r': return NAME_IS(at, "return") ? RETURN : NAME_IS(at, "result") ? RESULT : MEMBER_COUNT;
    case 'c': return NAME_IS(at, "call") ? CALL : MEMBER_COUNT;
    default: return MEMBER_COUNT;
    }
}

static const char *fail_unknown_member(struct reader *r, const char *at, const char *name, size_t length)
{
    bool event = length == 1 && *name == 't';
    struct text shown = {0};
    value_print_short(&shown, r->history->values, plumb_string(r->history->values, name, length));
    jsonl_fail(&r->scan, PL_BAD_FIELD, at,
               "unknown member %s; known are thread, object, op, arg, result, call and return%s", shown.data,
               event ? EVENTS_HINT : "");
    text_free(&shown);
    return NULL;
}

/* A name with escapes, or one that we do not know. */
static const char *read_odd_member_name(struct jsonl_object *o, const char *at, unsigned *m)
{
    const char *name;
    size_t length;
    const char *p = jsonl_scan_member(o, at, m, &name, &length);
    return !p || *m < MEMBER_COUNT ? p : fail_unknown_member(((struct line *)o)->r, at, name, length);
}

static inline __attribute__((always_inline)) const char *read_member_name(struct jsonl_object *o,
                                                                          const char *at, unsigned *m)
{
    *m = *at == '"' ? plain_member_name(at + 1) : MEMBER_COUNT;
    if (__builtin_expect(*m == MEMBER_COUNT, 0))
        return read_odd_member_name(o, at, m);
    static const uint8_t widths[MEMBER_COUNT] = {
        [THREAD] = 8, [OBJECT] = 8, [OP] = 4, [ARG] = 5, [RESULT] = 8, [CALL] = 6, [RETURN] = 8};
    return at + widths[*m];
}

static inline __attribute__((always_inline)) const char *read_member_value(struct jsonl_object *o,
                                                                           const char *at, unsigned m)
{
    struct line *l = (struct line *)o;
    switch (m) {
    case THREAD: return read_thread(l, at, &l->op.thread);
    case OBJECT: return read_object(l, at);
    case OP: return read_op(l, at, &l->op.op);
    case ARG: return jsonl_scan_value(&l->r->scan, at, &l->op.arg);
    case RESULT: return jsonl_scan_result(&l->r->scan, at, &l->op.result);
    case CALL: return read_stamp(l, at, CALL, &l->op.call);
    default: return read_return(l, at);
    }
}

/* ---- lines ---- */

static const char *fail_missing(struct reader *r, const char *brace, const struct line *l)
{
    enum member m = !jsonl_has(&l->members, THREAD) ? THREAD : !jsonl_has(&l->members, OP) ? OP : CALL;
    return jsonl_fail(&r->scan, PL_BAD_FIELD, brace, "the operation has no member \"%s\"", member_names[m]);
}

static uint32_t unnamed_object(struct history *h)
{
    bool is_first = h->object_names.len && h->object_names.data[0] == PLUMB_NONE;
    return is_first ? 0 : history_object(h, PLUMB_NONE);
}

static bool add_operation(struct reader *r, const char *brace, struct line *l)
{
    const unsigned required = 1u << THREAD | 1u << OP | 1u << CALL;
    if ((l->members.seen & required) != required)
        return fail_missing(r, brace, l);
    if (l->op.pending) {
        if (jsonl_has(&l->members, RESULT))
            return jsonl_fail(&r->scan, PL_BAD_FIELD, l->members.at[RESULT],
                              "an operation without \"return\" is pending and cannot have a \"result\"");
        l->op.ret = INT64_MAX;
        l->op.result = PLUMB_ANY;
    } else if (l->op.ret < l->op.call) {
        return jsonl_fail(&r->scan, PL_RETURN_BEFORE_CALL, l->members.at[RETURN],
                          "the operation returns at %lld, before its call at %lld", (long long)l->op.ret,
                          (long long)l->op.call);
    }
    if (r->history->ops.len >= HISTORY_OPS_MAX)
        return jsonl_fail(&r->scan, PL_TOO_LARGE, brace, "more than %zu operations", HISTORY_OPS_MAX);
    if (!jsonl_has(&l->members, OBJECT))
        l->object = unnamed_object(r->history);
    history_add(r->history, l->op, l->object);
    r->added++;
    return true;
}

/* One line; the answer is the start of the next one. */
static const char *read_line(struct reader *r, const char *at)
{
    const char *brace = jsonl_skip_space(at);
    if (*brace == '\n') {
        vec_push(&r->history->skipped_lines, r->scan.line_number);
        return brace + 1;
    }
    if (*brace != '{')
        return jsonl_fail_expected(&r->scan, PL_SYNTAX, brace, "'{' to start an operation");
    struct line l = {.members = {.scan = &r->scan, .names = member_names},
                     .r = r,
                     .op = {.arg = PLUMB_OK, .result = PLUMB_OK, .pending = 1}};
    const char *p = jsonl_read_object(&l.members, brace, read_member_name, read_member_value);
    if (!p)
        return NULL;
    p = jsonl_skip_space(p);
    if (*p != '\n')
        return jsonl_fail_expected(&r->scan, PL_SYNTAX, p, "the end of the line after the operation");
    return add_operation(r, brace, &l) ? p + 1 : NULL;
}

static bool read_lines(void *reader, const char *first, const char *end)
{
    struct reader *r = reader;
    const char *p = first;
    while (p != end) {
        r->scan.line = p;
        if (++r->scan.line_number == 1 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
            p += 3;
        p = read_line(r, p);
        if (!p)
            return false;
    }
    return true;
}

static bool read_all(struct history *h, struct line_input in, struct diagnostic *d)
{
    struct reader *r = NEW(struct reader);
    r->history = h;
    r->scan.values = h->values;
    r->scan.d = d;
    in.line_count = &r->scan.line_number;
    bool fine = line_input_each(&in, read_lines, r, d);
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
