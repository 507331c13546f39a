/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded executions: reading them. Every byte may be wrong. */
#include "base/text.h"
#include "base/vec.h"
#include "graph/model.h"
#include "target/trace_members.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SIZE_MOST = 1 << 24 };
static const char NO_MEMBER[] = "there is no member of this name";

typedef VEC(const char *) string_list;

struct reader {
    const char *next, *end, *line_begin;
    uint64_t line;
    struct diagnostic *why;
    struct trace_file *trace;
    string_list files, flags;
    VEC(struct schedule_step) steps;
    VEC(int64_t) proof;
    uint64_t step_count; /* announced */
    bool scheduled, ended;
    bool is_given[TRACE_MEMBERS];
};

static bool fail(struct reader *r, const char *what)
{
    uint64_t column = (uint64_t)(r->next - r->line_begin) + 1;
    return diagnostic_set(r->why, PL_BAD_TRACE, r->line, column, "%s", what);
}

/* --- tokens -------------------------------------------------------------------------------------- */

static int peek(const struct reader *r)
{
    return r->next < r->end ? (unsigned char)*r->next : -1;
}

static bool take(struct reader *r, char c)
{
    if (peek(r) != (unsigned char)c)
        return false;
    r->next++;
    return true;
}

static bool read_line_end(struct reader *r)
{
    if (!take(r, '\n'))
        return fail(r, "the line should end here");
    r->line++;
    r->line_begin = r->next;
    return true;
}

static int digit_value(int c, unsigned base)
{
    int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    return value < (int)base ? value : -1;
}

static bool read_number(struct reader *r, unsigned base, uint64_t most, uint64_t *number)
{
    if (digit_value(peek(r), base) < 0)
        return fail(r, "a number is missing");
    *number = 0;
    for (int digit; (digit = digit_value(peek(r), base)) >= 0; r->next++) {
        if ((uint64_t)digit > most || *number > (most - (uint64_t)digit) / base)
            return fail(r, "the number is too large");
        *number = *number * base + (uint64_t)digit;
    }
    return true;
}

/* What follows a backslash. */
static bool read_escape(struct reader *r, char *c)
{
    if (peek(r) == '"' || peek(r) == '\\') {
        *c = *r->next++;
        return true;
    }
    int high, low;
    if (r->end - r->next < 3 || r->next[0] != 'x' || (high = digit_value(r->next[1], 16)) < 0 ||
        (low = digit_value(r->next[2], 16)) < 0 || high + low == 0)
        return fail(r, "this is not an escape sequence");
    *c = (char)(high * 16 + low);
    r->next += 3;
    return true;
}

static bool read_string(struct reader *r, const char **string)
{
    if (!take(r, '"'))
        return fail(r, "a text in quotes is missing");
    struct text text = {0};
    while (peek(r) != '"') {
        if (peek(r) < 0x20 || peek(r) == 0x7f) {
            text_free(&text);
            return fail(r, "the text is not closed");
        }
        char c = *r->next++;
        if (c == '\\' && !read_escape(r, &c)) {
            text_free(&text);
            return false;
        }
        text_add(&text, &c, 1);
    }
    r->next++;
    *string = text_keep(&text, &r->trace->arena);
    return true;
}

/* --- members ------------------------------------------------------------------------------------- */

static bool read_into(struct reader *r, char *buffer, size_t size)
{
    const char *string;
    if (!read_string(r, &string))
        return false;
    size_t length = strlen(string);
    if (length >= size)
        return fail(r, "the text is too long");
    memcpy(buffer, string, length + 1);
    return true;
}

static bool read_listed(struct reader *r, string_list *list)
{
    const char *string;
    if (!read_string(r, &string))
        return false;
    vec_push(list, string);
    return true;
}

static enum schedule_kind read_step_kind(struct reader *r)
{
    static const char letters[][2] = {
#define X(name, letter) letter,
        SCHEDULE_KINDS(X)
#undef X
    };
    for (unsigned k = 1; k < SCHEDULE_KIND_COUNT; k++)
        if (take(r, letters[k][0]))
            return (enum schedule_kind)k;
    return SCHEDULE_THREAD;
}

static bool read_step(struct reader *r)
{
    enum schedule_kind kind = read_step_kind(r);
    uint64_t answer, times = 1;
    if (!read_number(r, 10, UINT16_MAX, &answer))
        return false;
    if (take(r, '*') && !read_number(r, 10, PROTOCOL_SCHEDULE, &times))
        return false;
    if (times == 0 || times > r->step_count - r->steps.len)
        return fail(r, "these are not as many choices as announced");
    for (uint64_t i = 0; i < times; i++)
        vec_push(&r->steps, ((struct schedule_step){.kind = (uint16_t)kind, .answer = (uint16_t)answer}));
    return true;
}

static bool read_schedule(struct reader *r)
{
    if (!read_number(r, 10, PROTOCOL_SCHEDULE, &r->step_count))
        return false;
    r->scheduled = true;
    if (r->step_count > 0 && !read_line_end(r))
        return false;
    while (r->steps.len < r->step_count) {
        if (!read_step(r))
            return false;
        if (r->steps.len < r->step_count && !take(r, ' ') && !read_line_end(r))
            return false;
    }
    return true;
}

static bool read_proof_number(struct reader *r, uint64_t count)
{
    uint64_t number, times = 1;
    int64_t sign = take(r, '-') ? -1 : 1;
    if (!read_number(r, 10, INT64_MAX, &number))
        return false;
    if (take(r, '*') && !read_number(r, 10, TRACE_PROOF_MOST, &times))
        return false;
    if (times == 0 || times > count - r->proof.len)
        return fail(r, "these are not as many numbers as announced");
    for (uint64_t i = 0; i < times; i++)
        vec_push(&r->proof, sign * (int64_t)number);
    return true;
}

static bool read_proof(struct reader *r)
{
    uint64_t count;
    if (!read_number(r, 10, TRACE_PROOF_MOST, &count) || !read_line_end(r))
        return false;
    r->scheduled = true;
    while (r->proof.len < count) {
        if (!read_proof_number(r, count))
            return false;
        if (r->proof.len < count && !take(r, ' ') && !read_line_end(r))
            return false;
    }
    return count > 0 || fail(r, "the run is empty");
}

static bool read_limit(struct reader *r, uint64_t most, uint32_t *limit)
{
    uint64_t number;
    if (!read_number(r, 10, most, &number))
        return false;
    *limit = (uint32_t)number;
    return true;
}

/* Four numbers: struct worker_race behind enum worker_races. */
static bool read_race(struct reader *r, struct worker_config *config)
{
    uint64_t numbers[4];
    for (size_t k = 0; k < 4; k++)
        if ((k && !take(r, ' ')) || !read_number(r, 16, k ? UINT64_MAX : RACES_BY_LOCATION, &numbers[k]))
            return k && fail(r, "a race is four numbers");
    config->races = (uint32_t)numbers[0];
    config->race = (struct worker_race){{numbers[1], numbers[2]}, numbers[3]};
    return true;
}

/* Three numbers, a line for each: struct worker_order, in the order of their places. */
static bool read_order(struct reader *r, struct worker_config *config)
{
    uint64_t numbers[3];
    for (size_t k = 0; k < 3; k++)
        if ((k && !take(r, ' ')) || !read_number(r, 16, k ? ORDER_PLAIN : UINT64_MAX, &numbers[k]))
            return k && fail(r, "an order is three numbers");
    if (config->order_count == PROTOCOL_ORDERS)
        return fail(r, "there are too many orders");
    if (config->order_count && config->orders[config->order_count - 1].pc >= numbers[0])
        return fail(r, "orders come in the order of their places");
    config->orders[config->order_count++] =
        (struct worker_order){numbers[0], (uint8_t)numbers[1], (uint8_t)numbers[2]};
    return true;
}

static bool read_value(struct reader *r, const struct trace_member *m)
{
    void *at = (char *)r->trace + m->at;
    switch (m->kind) {
    case MEMBER_STRING: return read_string(r, at);
    case MEMBER_TEXT: return read_into(r, at, m->limit);
    case MEMBER_NUMBER: return read_limit(r, m->limit, at);
    case MEMBER_HASH: return read_number(r, 16, UINT64_MAX, at);
    case MEMBER_FILE: return read_listed(r, &r->files);
    case MEMBER_COMPILER_FLAG: return read_listed(r, &r->flags);
    case MEMBER_RACE: return read_race(r, at);
    case MEMBER_ORDERS: return read_order(r, at);
    case MEMBER_SCHEDULE: return r->scheduled ? fail(r, NO_MEMBER) : read_schedule(r);
    case MEMBER_PROOF: return r->scheduled ? fail(r, NO_MEMBER) : read_proof(r);
    case MEMBER_FLAG: *(uint32_t *)at |= m->limit; return true;
    case MEMBER_END: r->ended = true; return true;
    }
    return false;
}

/* Some members may come again: they are lists, or add a bit. */
static bool comes_once(struct reader *r, const struct trace_member *m)
{
    bool *given = &r->is_given[m - trace_members];
    bool is_list = m->kind == MEMBER_FILE || m->kind == MEMBER_COMPILER_FLAG || m->kind == MEMBER_ORDERS ||
                   m->kind == MEMBER_FLAG;
    if (*given && !is_list)
        return fail(r, "the member was given before");
    *given = true;
    return true;
}

static bool read_member(struct reader *r)
{
    char key[16] = "";
    for (size_t length = 0; peek(r) >= 'a' && peek(r) <= 'z' && length < sizeof key - 1;)
        key[length++] = *r->next++;
    bool has_value = take(r, ' ');
    for (const struct trace_member *m = trace_members; m < trace_members + TRACE_MEMBERS; m++)
        if (strcmp(m->name, key) == 0 && has_value == (m->kind != MEMBER_FLAG && m->kind != MEMBER_END))
            return comes_once(r, m) && read_value(r, m) && read_line_end(r);
    return fail(r, NO_MEMBER);
}

/* --- files --------------------------------------------------------------------------------------- */

static bool read_first_line(struct reader *r)
{
    static const char name[] = "plumbline trace ";
    uint64_t version = 0;
    if ((size_t)(r->end - r->next) < sizeof name - 1 || memcmp(r->next, name, sizeof name - 1) != 0)
        return fail(r, "this is not a recorded execution");
    r->next += sizeof name - 1;
    if (!read_number(r, 10, UINT32_MAX, &version))
        return false;
    if (version != 1)
        return fail(r, "this recording is of another version of plumb");
    return read_line_end(r);
}

static bool read_all(struct reader *r)
{
    if (!read_first_line(r))
        return false;
    while (!r->ended) {
        if (r->next == r->end)
            return fail(r, "the recording breaks off");
        if (!read_member(r))
            return false;
    }
    if (r->next != r->end)
        return fail(r, "the recording should end here");
    if (!r->scheduled)
        return fail(r, "the recording has no schedule");
    if (r->files.len == 0)
        return fail(r, "the recording names no file");
    return true;
}

/* Words of lists. */
static bool are_words_known(struct reader *r)
{
    static const char *const errors[] = {
#define X(name, word, text) word,
        WORKER_ERRORS(X)
#undef X
    };
    const struct trace_file *trace = r->trace;
    const char *memory = trace->run.config.memory;
    bool is_known = !trace->error;
    for (size_t k = 0; !is_known && k < sizeof errors / sizeof *errors; k++)
        is_known = errors[k] && strcmp(errors[k], trace->error) == 0;
    if (!is_known)
        return fail(r, "there is no error of this name");
    return !*memory || model_find(memory) || fail(r, "there is no memory model of this name");
}

static void *keep_array(struct arena *arena, const void *items, size_t size)
{
    void *kept = arena_alloc(arena, size);
    if (size)
        memcpy(kept, items, size);
    return kept;
}

static void keep_lists(struct reader *r)
{
    struct trace_file *trace = r->trace;
    struct arena *arena = &trace->arena;
    trace->source.files = keep_array(arena, r->files.data, r->files.len * sizeof *r->files.data);
    trace->source.file_count = r->files.len;
    trace->source.flags = keep_array(arena, r->flags.data, r->flags.len * sizeof *r->flags.data);
    trace->source.flag_count = r->flags.len;
    trace->run.schedule = keep_array(arena, r->steps.data, r->steps.len * sizeof *r->steps.data);
    trace->run.schedule_count = (uint32_t)r->steps.len;
    trace->run.config.mode = WORKER_REPLAY;
    if (r->proof.len)
        trace->proof = keep_array(arena, r->proof.data, r->proof.len * sizeof *r->proof.data);
    trace->proof_count = (uint32_t)r->proof.len;
}

bool trace_file_parse(struct trace_file *trace, const char *bytes, size_t length, struct diagnostic *why)
{
    *why = (struct diagnostic){0};
    *trace = (struct trace_file){0};
    struct reader r = {
        .next = bytes, .end = bytes + length, .line_begin = bytes, .line = 1, .why = why, .trace = trace};
    bool fine = read_all(&r) && are_words_known(&r);
    if (fine)
        keep_lists(&r);
    vec_free(&r.files);
    vec_free(&r.flags);
    vec_free(&r.steps);
    vec_free(&r.proof);
    if (!fine)
        trace_file_free(trace);
    return fine;
}

static bool read_bytes(const char *path, struct text *bytes, struct diagnostic *why)
{
    char buffer[1 << 14];
    size_t got;
    FILE *file = fopen(path, "re");
    if (!file)
        return diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "%s", strerror(errno));
    while (bytes->len <= SIZE_MOST && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_add(bytes, buffer, got);
    int error = ferror(file) ? errno : 0;
    fclose(file);
    if (error)
        return diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "%s", strerror(error));
    return bytes->len <= SIZE_MOST ||
           diagnostic_set(why, PL_BAD_TRACE, 0, 0, "this is no recorded execution: it has more than 16 MiB");
}

bool trace_file_load(struct trace_file *trace, const char *path, struct diagnostic *why)
{
    struct text bytes = {0};
    *why = (struct diagnostic){0};
    *trace = (struct trace_file){0};
    bool fine = read_bytes(path, &bytes, why) &&
                trace_file_parse(trace, bytes.data ? bytes.data : "", bytes.len, why);
    text_free(&bytes);
    if (!fine)
        snprintf(why->file, sizeof why->file, "%s", path);
    return fine;
}
