/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/shard_result.h"

#include "base/check.h"
#include "base/hash.h"
#include "campaign/cluster/cluster_frames.h"
#include "cli/check/check_program.h"
#include "cli/common/output.h"
#include "cli/common/output_paths.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* ------------------------------------------------------------------ the fingerprint */

/* Which shards there are is compared by itself. */
static bool decides(const struct option_command *text, const struct option_entry *option)
{
    static const char *const others[] = {"shard", "jobs",    "time", "color",
                                         "quiet", "verbose", "full", "no-repair"};
    struct text word = {0};
    text_printf(&word, "--%s", option->name);
    bool is_output = output_is_option(text, word.data);
    text_free(&word);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(option->name, others[k]) == 0)
            return false;
    return !is_output;
}

/* A file counts by what it has, wherever it is. */
static void add_words(struct text *t, const char *words)
{
    struct stat status;
    struct text file = {0};
    if (words && stat(words, &status) == 0 && S_ISREG(status.st_mode) && text_add_file(&file, words))
        text_printf(t, "file %016" PRIx64, hash_bytes(file.data, file.len));
    else
        text_puts(t, words ? words : "");
    text_free(&file);
}

static void add_value(struct text *t, const struct option_entry *option, const void *at)
{
    const struct operand_list *list = at;
    switch (option->kind) {
    case OPTION_FLAG: text_printf(t, "%d", *(const bool *)at); break;
    case OPTION_TEXT: add_words(t, *(const char *const *)at); break;
    case OPTION_NUMBER:
    case OPTION_BYTES: text_printf(t, "%" PRIu64, *(const uint64_t *)at); break;
    case OPTION_SECONDS: text_printf(t, "%.17g", *(const double *)at); break;
    case OPTION_CHOICE: text_printf(t, "%d", *(const int *)at); break;
    case OPTION_LIST:
        for (size_t k = 0; k < list->len; k++)
            add_words(t, list->data[k]), text_puts(t, ",");
    }
}

uint64_t shard_options_fingerprint(const struct option_command *text, const void *settings)
{
    struct text t = {0};
    text_puts(&t, text->name);
    for (size_t k = 0; k < text->option_count; k++) {
        const struct option_entry *option = &text->options[k];
        if (!decides(text, option))
            continue;
        text_printf(&t, "\n%s ", option->name);
        add_value(&t, option, (const char *)settings + option->field);
    }
    uint64_t hash = hash_bytes(t.data, t.len);
    text_free(&t);
    return hash;
}

/* ------------------------------------------------------------------ what it has */

/* The last line names a file that is on another machine then. */
static void drop_replay(char *report)
{
    for (char *line = report, *next; (next = strstr(line, "\n  replay: ")); line = next + 1)
        if (!strchr(next + 1, '\n') || !strchr(next + 1, '\n')[1])
            next[1] = 0;
}

/* For the documents of `plumb merge`. */
static void add_cases(struct shard_record *r, const struct campaign *c)
{
    struct report_documents d = {0};
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        d.wanted[k] = true;
    check_add_case(&d, c, 0);
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        r->cases[k] = text_take(&d.parts[k]);
    report_documents_free(&d);
}

void shard_result_add_error(struct shard_record *r, const struct campaign *c)
{
    const struct campaign_error *e = c->errors.data;
    struct report_style style = {.columns = 100, .unicode = true};
    struct text report = {0}, bytes = {0};
    if (e->explained) {
        check_add_error(&report, c, e, &style);
        r->report = text_take(&report);
        drop_replay(r->report);
        add_cases(r, c);
    }
    if (!e->trace || !text_add_file(&bytes, e->trace))
        return;
    const char *folder = strrchr(e->trace, '/');
    r->trace = strdup(folder ? folder + 1 : e->trace);
    r->trace_bytes = text_take(&bytes);
}

void shard_result_add_texts(shard_texts *list, const char *words)
{
    for (const char *end; words && *words; words = end) {
        struct text t = {0};
        end = strstr(words, "; ");
        text_add(&t, words, end ? (size_t)(end - words) : strlen(words));
        shard_add_text(list, t.data);
        text_free(&t);
        end = end ? end + 2 : words + strlen(words);
    }
}

/* An executable has arguments instead of flags; flags are in its code. */
static uint64_t program_fingerprint(const struct shard_origin *origin)
{
    const struct target_program *p = origin->program;
    uint64_t hash = p ? p->code : 0;
    for (size_t k = 0; p && p->arguments && p->arguments[k]; k++)
        hash = hash_combine(hash, hash_bytes(p->arguments[k], strlen(p->arguments[k])));
    return hash;
}

bool shard_result_save(struct shard_record *r, const struct shard_origin *origin)
{
    const struct campaign_shard *shard = origin->shard;
    struct text t = {0};
    r->tool = strdup(PLUMB_VERSION);
    r->command = strdup(origin->text->name);
    r->name = strdup(origin->source->files[0]);
    r->number = shard->number;
    r->count = shard->count;
    r->fingerprint =
        hash_combine(program_fingerprint(origin), shard_options_fingerprint(origin->text, origin->settings));
    shard_record_print(&t, r);
    FILE *file = output_open(shard->result);
    if (file)
        output_text(file, &t);
    bool written = file && output_close(file, shard->result);
    text_free(&t);
    shard_record_free(r);
    return written;
}

/* ------------------------------------------------------------------ for another process */

int shard_result_memory(struct text *path)
{
    int file = memfd_create("plumb-result", MFD_CLOEXEC);
    CHECK(file >= 0);
    text_printf(path, "/proc/self/fd/%d", file);
    return file;
}

bool shard_result_answer(int descriptor, const char *path, const struct text *work, enum answer_kind kind)
{
    struct text record = {0}, bytes = {0};
    bool fine = kind == ANSWER_SLOW || text_add_file(&record, path);
    struct answer head = {.record = record.len, .work = work->len, .kind = kind};
    text_add(&bytes, (const char *)&head, sizeof head);
    if (record.len)
        text_add(&bytes, record.data, record.len);
    if (work->len)
        text_add(&bytes, work->data, work->len);
    fine = fine && frames_write(descriptor, bytes.data, bytes.len);
    text_free(&record);
    text_free(&bytes);
    return fine;
}

bool shard_result_read_request(int descriptor, struct request *request, struct text *work)
{
    struct text bytes = {0};
    bool fine = frames_read(descriptor, &bytes) && bytes.len >= sizeof *request;
    text_clear(work);
    if (fine) {
        memcpy(request, bytes.data, sizeof *request);
        text_add(work, bytes.data + sizeof *request, bytes.len - sizeof *request);
    }
    text_free(&bytes);
    return fine;
}
