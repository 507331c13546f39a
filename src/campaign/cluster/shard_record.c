/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/cluster/shard_record.h"

#include "base/hash.h"
#include "base/large_file.h"
#include "base/text.h"
#include "campaign/campaign_options.h"
#include "report/fragments.h"
#include "target/trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "plumbline shard 1\n";

const char *const shard_number_words[SHARD_NUMBER_COUNT] = {
#define X(name, word, text) word,
    SHARD_NUMBERS(X)
#undef X
};

/* ------------------------------------------------------------------ writing */

static void put(struct text *out, const char *member, const char *words)
{
    if (!words)
        return;
    text_printf(out, "%s ", member);
    for (const char *c = words; *c; c++)
        if (*c == '\n' || *c == '\\')
            text_puts(out, *c == '\n' ? "\\n" : "\\\\");
        else
            text_add(out, c, 1);
    text_puts(out, "\n");
}

static void put_list(struct text *out, const char *member, const shard_texts *list)
{
    for (size_t k = 0; k < list->len; k++)
        put(out, member, list->data[k]);
}

void shard_record_print(struct text *out, const struct shard_record *r)
{
    text_puts(out, first_line);
    put(out, "tool", r->tool);
    put(out, "command", r->command);
    put(out, "name", r->name);
    put(out, "size", r->size);
    text_printf(out, "fingerprint %" PRIx64 "\nshard %" PRIu64 " %" PRIu64 "\n", r->fingerprint,
                r->number + 1, r->count);
    if (r->division)
        text_printf(out, "division %" PRIx64 "\n", r->division);
    put(out, "answer", verdict_name(r->answer));
    for (size_t k = 0; k < SHARD_NUMBER_COUNT; k++)
        if (r->numbers[k])
            text_printf(out, "%s %" PRIu64 "\n", shard_number_words[k], r->numbers[k]);
    put_list(out, "limit", &r->limits);
    put_list(out, "note", &r->notes);
    for (size_t k = 0; k < r->objects.len; k++)
        text_printf(out, "object %" PRIx64 " %u %u\n", r->objects.data[k].address, r->objects.data[k].locked,
                    r->objects.data[k].no_mutex);
    if (r->failing)
        text_printf(out, "failing %" PRIu64 "\n", r->failing);
    put(out, "trace", r->trace);
    put(out, "bytes", r->trace_bytes);
    put(out, "report", r->report);
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        put(out, report_document_kinds[k].option, r->cases[k]);
    text_printf(out, "end %016" PRIx64 "\n", hash_bytes(out->data, out->len));
}

/* ------------------------------------------------------------------ reading */

static char *unescape(const char *words, size_t length)
{
    struct text t = {0};
    for (size_t k = 0; k < length; k++) {
        bool escaped = words[k] == '\\' && k + 1 < length;
        char c = escaped ? words[++k] : words[k];
        text_add(&t, escaped && c == 'n' ? "\n" : &c, 1);
    }
    text_add(&t, "", 0);
    return text_take(&t);
}

void shard_add_text(shard_texts *list, const char *words)
{
    struct text t = {0};
    text_puts(&t, words);
    vec_push(list, text_take(&t));
}

/* What follows the name of a member, if that is it. */
static const char *value_of(const char *line, const char *end, const char *member)
{
    size_t length = strlen(member);
    bool is_it = (size_t)(end - line) > length && memcmp(line, member, length) == 0 && line[length] == ' ';
    return is_it ? line + length + 1 : NULL;
}

static bool read_answer(struct shard_record *r, const char *at, const char *end)
{
    static const enum verdict answers[] = {VERDICT_HOLDS, VERDICT_SURVIVED, VERDICT_VIOLATED,
                                           VERDICT_INCONCLUSIVE};
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++)
        if (strlen(verdict_name(answers[k])) == (size_t)(end - at) &&
            memcmp(at, verdict_name(answers[k]), (size_t)(end - at)) == 0 && r->answer == VERDICT_NONE) {
            r->answer = answers[k];
            return true;
        }
    return false;
}

/* A number and nothing else, up to a blank or the end of the line. False: there is none, or it is too large to be added up. */
static bool take_number(const char **at, const char *end, unsigned base, uint64_t most, uint64_t *number)
{
    const char *from = *at;
    *number = 0;
    for (; *at < end && **at != ' '; ++*at) {
        const char *digits = "0123456789abcdef", *digit = strchr(digits, **at);
        uint64_t value = digit && **at ? (uint64_t)(digit - digits) : base;
        if (value >= base || value > most || *number > (most - value) / base)
            return false;
        *number = *number * base + value;
    }
    return *at > from;
}

static bool take_blank(const char **at, const char *end)
{
    bool is_there = *at < end && **at == ' ';
    *at += is_there;
    return is_there;
}

static bool read_one(const char *at, const char *end, unsigned base, uint64_t most, uint64_t *number)
{
    return take_number(&at, end, base, most, number) && at == end;
}

static bool read_object(struct shard_record *r, const char *at, const char *end)
{
    struct pool_object o = {0};
    uint64_t locked, no_mutex;
    if (!take_number(&at, end, 16, UINT64_MAX, &o.address) || !take_blank(&at, end) ||
        !take_number(&at, end, 10, 1, &locked) || !take_blank(&at, end) ||
        !read_one(at, end, 10, 1, &no_mutex) || r->objects.len == POOL_OBJECTS)
        return false;
    o.locked = locked != 0;
    o.no_mutex = no_mutex != 0;
    vec_push(&r->objects, o);
    return true;
}

static bool read_shard(struct shard_record *r, const char *at, const char *end)
{
    if (r->count || !take_number(&at, end, 10, CAMPAIGN_SHARDS, &r->number) || !take_blank(&at, end) ||
        !read_one(at, end, 10, CAMPAIGN_SHARDS, &r->count) || r->number < 1 || r->number > r->count)
        return false;
    r->number--;
    return true;
}

/* Members that are texts, each once. False: the line is none of them. */
static bool find_text(struct shard_record *r, const char *line, const char *end, char ***member,
                      const char **value)
{
    const struct {
        const char *name;
        char **member;
    } texts[] = {{"tool", &r->tool},   {"command", &r->command},   {"name", &r->name},    {"size", &r->size},
                 {"trace", &r->trace}, {"bytes", &r->trace_bytes}, {"report", &r->report}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if ((*value = value_of(line, end, texts[k].name))) {
            *member = texts[k].member;
            return true;
        }
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        if ((*value = value_of(line, end, report_document_kinds[k].option))) {
            *member = &r->cases[k];
            return true;
        }
    return false;
}

/* Numbers of all shards are added up. */
static bool read_number(struct shard_record *r, const char *line, const char *end)
{
    const char *value;
    for (size_t k = 0; k < SHARD_NUMBER_COUNT; k++)
        if ((value = value_of(line, end, shard_number_words[k])))
            return !r->numbers[k] &&
                   read_one(value, end, 10, UINT64_MAX / (2 * CAMPAIGN_SHARDS), &r->numbers[k]);
    return false;
}

static bool add_text(shard_texts *list, const char *value, const char *end)
{
    vec_push(list, unescape(value, (size_t)(end - value)));
    return true;
}

/* A line that is known to end; lines of later versions are an error, too: they may matter. */
static bool read_line(struct shard_record *r, const char *line, const char *end)
{
    const char *value;
    char **member;
    if (memchr(line, 0, (size_t)(end - line)))
        return false;
    if (find_text(r, line, end, &member, &value)) {
        if (*member)
            return false;
        *member = unescape(value, (size_t)(end - value));
        return true;
    }
    if ((value = value_of(line, end, "limit")))
        return add_text(&r->limits, value, end);
    if ((value = value_of(line, end, "note")))
        return add_text(&r->notes, value, end);
    if ((value = value_of(line, end, "fingerprint")))
        return !r->fingerprint && read_one(value, end, 16, UINT64_MAX, &r->fingerprint);
    if ((value = value_of(line, end, "division")))
        return !r->division && read_one(value, end, 16, UINT64_MAX, &r->division);
    if ((value = value_of(line, end, "shard")))
        return read_shard(r, value, end);
    if ((value = value_of(line, end, "answer")))
        return read_answer(r, value, end);
    if ((value = value_of(line, end, "object")))
        return read_object(r, value, end);
    if ((value = value_of(line, end, "failing")))
        return !r->failing && read_one(value, end, 10, UINT64_MAX, &r->failing);
    return read_number(r, line, end);
}

/* Where the last line begins, if it says that the rest is whole. */
static const char *find_end(const char *bytes, size_t length)
{
    enum { END = sizeof "end 0123456789abcdef\n" - 1 };
    char expected[END + 1];
    if (length < sizeof first_line - 1 + END)
        return NULL;
    const char *end = bytes + length - END;
    snprintf(expected, sizeof expected, "end %016" PRIx64 "\n", hash_bytes(bytes, length - END));
    return memcmp(end, expected, END) == 0 ? end : NULL;
}

/* --- do the lines agree? */

static bool are_numbers_sound(const struct shard_record *r)
{
    const uint64_t *n = r->numbers;
    if (strcmp(r->command, "auto") == 0)
        return n[SHARD_TESTS] == n[SHARD_PASSED] + n[SHARD_FAILED] + n[SHARD_INCONCLUSIVE];
    return n[SHARD_BLOCKED] <= n[SHARD_EXECUTIONS] && n[SHARD_REFUTED] <= n[SHARD_EXECUTIONS] &&
           !n[SHARD_TESTS]; /* what was cut is no execution */
}

/* The recorded execution becomes a file of this name. */
static bool is_trace_sound(const struct shard_record *r)
{
    struct trace_file trace = {0};
    struct diagnostic why;
    if (!r->trace || !r->trace_bytes)
        return !r->trace && !r->trace_bytes;
    size_t length = strlen(r->trace);
    if (length < sizeof ".plr" || strcmp(r->trace + length - 4, ".plr") != 0 || *r->trace == '.' ||
        strchr(r->trace, '/'))
        return false;
    bool fine = trace_file_parse(&trace, r->trace_bytes, strlen(r->trace_bytes), &why);
    trace_file_free(&trace);
    return fine;
}

static const char *find_flaw(const struct shard_record *r)
{
    if (!r->tool || !r->command || !r->name || !r->count || r->answer == VERDICT_NONE)
        return "lines of the result are missing";
    if (strcmp(r->command, "auto") != 0 && strcmp(r->command, "check") != 0)
        return "the result is of no command that has shards";
    if (!are_numbers_sound(r))
        return "the numbers of the result contradict each other";
    if (!is_trace_sound(r))
        return "the recorded execution in the result is none";
    for (int k = 0; k < REPORT_DOCUMENTS; k++)
        if (r->cases[k] && !report_fragment_is_sound((enum report_document)k, r->cases[k]))
            return "a case in the result, for a document, is not well-formed";
    return NULL;
}

bool shard_record_parse(struct shard_record *r, const char *bytes, size_t length, struct diagnostic *why)
{
    const size_t start = sizeof first_line - 1;
    if (length < start || memcmp(bytes, first_line, start) != 0)
        return diagnostic_set(why, PL_BAD_SHARD, 0, 0,
                              "this is not the result of a shard, or of another version");
    const char *end = find_end(bytes, length);
    if (!end)
        return diagnostic_set(why, PL_BAD_SHARD, 0, 0, "the result is damaged, or not whole");
    uint64_t number = 2;
    for (const char *line = bytes + start, *next; line < end; line = next + 1, number++) {
        next = memchr(line, '\n', (size_t)(end - line));
        if (!next || !read_line(r, line, next))
            return diagnostic_set(why, PL_BAD_SHARD, number, 0, "this is not a line of a result");
    }
    const char *flaw = find_flaw(r);
    return !flaw || diagnostic_set(why, PL_BAD_SHARD, 0, 0, "%s", flaw);
}

bool shard_record_load(struct shard_record *r, const char *path, struct diagnostic *why)
{
    struct text t = {0}, name = {0};
    bool fine = text_add_large_file(&t, path);
    if (!fine)
        diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot open: %s", large_file_error(errno));
    fine = fine && shard_record_parse(r, t.data ? t.data : "", t.len, why);
    if (!fine)
        snprintf(why->file, sizeof why->file, "%s", path);
    text_puts(&name, path);
    r->path = text_take(&name);
    text_free(&t);
    return fine;
}

static void free_texts(shard_texts *list)
{
    for (size_t k = 0; k < list->len; k++)
        free(list->data[k]);
    vec_free(list);
}

void shard_record_free(struct shard_record *r)
{
    free_texts(&r->limits);
    free_texts(&r->notes);
    vec_free(&r->objects);
    char *texts[] = {r->path, r->tool, r->command, r->name, r->size, r->trace, r->trace_bytes, r->report};
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        free(r->cases[k]);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        free(texts[k]);
    *r = (struct shard_record){0};
}
