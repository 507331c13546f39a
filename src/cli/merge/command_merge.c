/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb merge`: results of shards become one answer. */
#include "base/budget.h"
#include "base/shell_word.h"
#include "base/terminal.h"
#include "cli/common/json_document.h"
#include "cli/common/output.h"
#include "cli/common/report_files.h"
#include "cli/merge/merge_report.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define FIELD(name) offsetof(struct merge_options, name)

static const struct option_entry merge_options_table[] = {
    OUT_OPTION(FIELD(out)),
    JSON_OPTION(FIELD(json)),
    REPORT_FILE_OPTIONS(FIELD(files)),
    QUIET_OPTION(FIELD(quiet)),
};

static const struct option_section merge_sections[] = {
    {"description",
     "Joins what 'plumb check --shard I/N --result F' or 'plumb auto --shard I/N --result F' wrote on "
     "several "
     "machines, for I from 1 to N. Numbers are added up: they are those of one process that did all of it. "
     "The "
     "answer is 'violated' if one shard found an error; its report is printed, and the recorded execution is "
     "written beside. It is 'inconclusive' if one shard is, or is missing. Of several results of one shard "
     "the "
     "one that says most counts, once. --html, --junit and --sarif are those of the undivided command.\n"},
    {"exit status", "0 holds or survived; 1 violated; 2 wrong usage, no result of a shard, or results of "
                    "different programs, options or versions; 3 inconclusive.\n"},
    {"examples", "  plumb check queue.c --shard 1/2 --result 1.shard\n"
                 "  plumb check queue.c --shard 2/2 --result 2.shard\n"
                 "  plumb merge 1.shard 2.shard\n"},
};

const struct option_command cli_merge_text = {
    .name = "merge",
    .summary = "Join the results of shards.",
    .operands = "FILE...",
    .operands_least = 1,
    .operands_most = SIZE_MAX,
    COMMAND_TABLES(merge_options_table, merge_sections),
};

/* ------------------------------------------------------------------ as text */

static void add_numbers(struct text *t, const struct shard_merge *m)
{
    static const char *const texts[] = {
#define X(name, word, text) text,
        SHARD_NUMBERS(X)
#undef X
    };
    static const char *const singular[SHARD_NUMBER_COUNT] = {[SHARD_TESTS] = "test",
                                                             [SHARD_EXECUTIONS] = "execution",
                                                             [SHARD_LARGER_TESTS] = "larger test survived"};
    const char *divider = "";
    if (m->first->count > 1) {
        text_printf(t, "%" PRIu64 " of %" PRIu64 " shards", m->present, m->first->count);
        divider = ", ";
    }
    for (size_t k = 0; k < SHARD_NUMBER_COUNT; k++)
        if (texts[k] && (m->numbers[k] || k == SHARD_EXECUTIONS)) {
            text_printf(t, "%s%" PRIu64 " %s", divider, m->numbers[k],
                        m->numbers[k] == 1 && singular[k] ? singular[k] : texts[k]);
            if (k == SHARD_TESTS && m->first->size)
                text_puts(t, " "), terminal_add_safe(t, m->first->size);
            divider = ", ";
        }
}

static void add_texts(struct text *t, const shard_texts *list)
{
    for (size_t k = 0; k < list->len; k++) {
        text_puts(t, "; ");
        terminal_add_safe(t, list->data[k]);
    }
}

static void print(const struct shard_merge *m)
{
    struct text t = {0};
    terminal_add_safe(&t, m->first->name);
    text_printf(&t, ": %s (", verdict_name(m->verdict));
    add_numbers(&t, m);
    if (m->verdict != VERDICT_VIOLATED)
        add_texts(&t, &m->limits);
    add_texts(&t, &m->notes);
    text_puts(&t, ")\n");
    output_text(stdout, &t);
    text_free(&t);
}

/* The recorded execution goes to a file of the same name, here. */
static bool write_trace(const struct shard_record *r, const char *folder, struct text *path)
{
    if (!r->trace)
        return true;
    text_add_folder(path, folder);
    text_puts(path, r->trace);
    struct text bytes = {.data = r->trace_bytes, .len = r->trace_bytes ? strlen(r->trace_bytes) : 0};
    FILE *file = output_open(path->data);
    if (file)
        output_text(file, &bytes);
    return file && output_close(file, path->data);
}

/* Line by line, for it comes from a file. */
static void add_report(struct text *t, const char *report)
{
    struct text line = {0};
    for (const char *end; *report; report = *end ? end + 1 : end) {
        end = report + strcspn(report, "\n");
        text_clear(&line);
        text_add(&line, report, (size_t)(end - report));
        terminal_add_safe(t, line.data);
        text_puts(t, *end ? "\n" : "");
    }
    text_free(&line);
}

static bool print_violation(const struct shard_record *r, const struct merge_options *o, bool printed)
{
    struct text path = {0}, t = {0};
    bool written = write_trace(r, o->out, &path);
    add_report(&t, r->report ? r->report : "");
    if (r->count > 1)
        text_printf(&t, "  found by shard %" PRIu64 " of %" PRIu64 "\n", r->number + 1, r->count);
    if (path.len) {
        text_puts(&t, "  replay: plumb replay");
        shell_add_file(&t, path.data);
        text_puts(&t, "\n");
    }
    if (printed && !o->quiet)
        output_text(stdout, &t);
    text_free(&t);
    text_free(&path);
    return written;
}

/* ------------------------------------------------------------------ as JSON */

static bool write_json(const struct shard_merge *m, const char *path, double seconds)
{
    struct text t = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    json_document_open(w, "merge", m->verdict);
    JSON_ARRAY(w, "limits", k, m->limits.len)
        json_string(w, m->limits.data[k]);
    JSON_ARRAY(w, "notes", k, m->notes.len)
        json_string(w, m->notes.data[k]);
    json_member(w, "merged", m->first->command);
    json_key(w, "shards"), json_uint(w, m->first->count);
    json_key(w, "present"), json_uint(w, m->present);
    for (size_t k = 0; k < SHARD_NUMBER_COUNT; k++)
        json_key(w, shard_number_words[k]), json_uint(w, m->numbers[k]);
    if (m->violated)
        json_key(w, "found_by"), json_uint(w, m->violated->number + 1);
    json_document_open_stats(w, seconds, RUSAGE_SELF);
    json_document_close(w);
    return json_document_save(&t, path);
}

/* ------------------------------------------------------------------ as documents */

/* What was found, as the shard that found it would have written it. */
static void add_recorded_case(struct report_documents *d, const struct shard_record *r)
{
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        text_puts(&d->parts[k], r->cases[k] ? r->cases[k] : "");
    d->case_count = d->failure_count = 1;
}

static void add_case(struct report_documents *d, const struct shard_merge *m, double seconds)
{
    struct text numbers = {0}, reasons = {0};
    add_numbers(&numbers, m);
    add_texts(&reasons, &m->limits);
    add_texts(&reasons, &m->notes);
    const char *facts[] = {numbers.data};
    const struct report_case one = {.name = m->first->name,
                                    .verdict = m->verdict,
                                    .message = reasons.len ? reasons.data + strlen("; ") : NULL,
                                    .seconds = seconds,
                                    .facts = facts,
                                    .fact_count = 1};
    report_documents_add(d, &one);
    text_free(&numbers);
    text_free(&reasons);
}

static bool write_documents(const struct shard_merge *m, const struct report_paths *paths, double seconds)
{
    struct report_files files;
    if (!report_paths_wanted(paths))
        return true;
    if (!report_files_begin(&files, paths))
        return false;
    if (m->violated)
        add_recorded_case(&files.documents, m->violated);
    else
        add_case(&files.documents, m, seconds);
    return report_files_finish(&files, m->first->command, m->verdict);
}

/* ------------------------------------------------------------------ all of it */

typedef VEC(struct shard_record) record_list;

static bool load(record_list *records, const struct operand_list *files)
{
    struct diagnostic why = {0};
    for (size_t k = 0; k < files->len; k++) {
        vec_push(records, ((struct shard_record){0}));
        if (!shard_record_load(&records->data[k], files->data[k], &why)) {
            output_diagnostic(NULL, &why);
            return false;
        }
    }
    return true;
}

enum cli_exit merge_report(const struct shard_record *records, size_t count, const struct merge_options *o)
{
    double start = base_now();
    struct diagnostic why = {0};
    struct shard_merge m;
    bool printed = !o->json || strcmp(o->json, "-") != 0, written = true;
    if (!shard_merge(&m, records, count, &why)) {
        output_diagnostic(NULL, &why);
        return EXIT_USAGE;
    }
    if (printed)
        print(&m);
    if (m.violated)
        written = print_violation(m.violated, o, printed);
    if (o->json)
        written &= write_json(&m, o->json, base_now() - start);
    written &= write_documents(&m, &o->files, base_now() - start);
    enum cli_exit exit = cli_exit_of(m.verdict);
    shard_merge_free(&m);
    return written ? exit : cli_worse_exit(exit, EXIT_USAGE);
}

enum cli_exit cli_merge(int count, char *const *words)
{
    struct merge_options o = {0};
    struct operand_list files = {0};
    record_list records = {0};
    enum cli_exit exit;
    if (!cli_parse(&cli_merge_text, count, words, &o, &files, &exit))
        return exit;
    exit = load(&records, &files) ? merge_report(records.data, records.len, &o) : EXIT_USAGE;
    for (size_t k = 0; k < records.len; k++)
        shard_record_free(&records.data[k]);
    vec_free(&records);
    vec_free(&files);
    return exit;
}
