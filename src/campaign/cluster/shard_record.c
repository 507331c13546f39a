/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/cluster/shard_record.h"

#include "base/hash.h"
#include "base/text.h"
#include "campaign/campaign_options.h"

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

static bool read_answer(struct shard_record *r, const char *word)
{
    static const enum verdict answers[] = {VERDICT_HOLDS, VERDICT_SURVIVED, VERDICT_VIOLATED,
                                           VERDICT_INCONCLUSIVE};
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++)
        if (strcmp(word, verdict_name(answers[k])) == 0) {
            r->answer = answers[k];
            return true;
        }
    return false;
}

static bool read_object(struct shard_record *r, const char *words)
{
    struct pool_object o = {0};
    unsigned locked, no_mutex;
    if (sscanf(words, "%" SCNx64 " %u %u", &o.address, &locked, &no_mutex) != 3)
        return false;
    o.locked = locked != 0;
    o.no_mutex = no_mutex != 0;
    vec_push(&r->objects, o);
    return true;
}

static bool read_shard(struct shard_record *r, const char *words)
{
    if (sscanf(words, "%" SCNu64 " %" SCNu64, &r->number, &r->count) != 2 || r->number < 1 ||
        r->number > r->count || r->count > CAMPAIGN_SHARDS)
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

static bool read_number(struct shard_record *r, const char *line, const char *end)
{
    const char *value;
    for (size_t k = 0; k < SHARD_NUMBER_COUNT; k++)
        if ((value = value_of(line, end, shard_number_words[k])))
            return sscanf(value, "%" SCNu64, &r->numbers[k]) == 1;
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
    if (find_text(r, line, end, &member, &value)) {
        free(*member);
        *member = unescape(value, (size_t)(end - value));
        return true;
    }
    if ((value = value_of(line, end, "limit")))
        return add_text(&r->limits, value, end);
    if ((value = value_of(line, end, "note")))
        return add_text(&r->notes, value, end);
    char words[128];
    snprintf(words, sizeof words, "%.*s", (int)(end - line < 100 ? end - line : 100), line);
    if ((value = value_of(line, end, "fingerprint")))
        return sscanf(value, "%" SCNx64, &r->fingerprint) == 1;
    if ((value = value_of(line, end, "division")))
        return sscanf(value, "%" SCNx64, &r->division) == 1;
    if (value_of(line, end, "shard"))
        return read_shard(r, words + strlen("shard "));
    if (value_of(line, end, "answer"))
        return read_answer(r, words + strlen("answer "));
    if (value_of(line, end, "object"))
        return read_object(r, words + strlen("object "));
    if ((value = value_of(line, end, "failing")))
        return sscanf(value, "%" SCNu64, &r->failing) == 1;
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

static bool is_complete(const struct shard_record *r)
{
    return r->tool && r->command && r->name && r->count && r->answer != VERDICT_NONE;
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
    return is_complete(r) || diagnostic_set(why, PL_BAD_SHARD, 0, 0, "lines of the result are missing");
}

bool shard_record_load(struct shard_record *r, const char *path, struct diagnostic *why)
{
    struct text t = {0}, name = {0};
    bool fine = text_add_file(&t, path);
    if (!fine)
        diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot open: %s", strerror(errno));
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
