/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded executions: taking them from a worker and writing them. */
#include "base/text.h"
#include "target/trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_WIDTH = 100 };

static const char *const error_words[] = {
#define X(name, word, text) [WORKER_ERROR_##name] = word,
    WORKER_ERRORS(X)
#undef X
};

/* --- recording ----------------------------------------------------------------------------------- */

static const char *keep(struct arena *arena, const char *text)
{
    return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

static const char *const *keep_list(struct arena *arena, const char *const *list, size_t count)
{
    const char **kept = arena_alloc(arena, count * sizeof *kept);
    for (size_t i = 0; i < count; i++)
        kept[i] = keep(arena, list[i]);
    return kept;
}

static const char *current_folder(struct arena *arena)
{
    char *folder = getcwd(NULL, 0);
    const char *kept = keep(arena, folder ? folder : ".");
    free(folder);
    return kept;
}

static void keep_source(struct trace_file *trace, const struct target_source *source)
{
    struct arena *arena = &trace->arena;
    trace->source = (struct target_source){
        .files = keep_list(arena, source->files, source->file_count),
        .file_count = source->file_count,
        .flags = keep_list(arena, source->flags, source->flag_count),
        .flag_count = source->flag_count,
        .cc = keep(arena, source->cc ? source->cc : getenv("PLUMB_CC")),
        .cxx = keep(arena, source->cxx ? source->cxx : getenv("PLUMB_CXX")),
    };
}

bool trace_file_record(struct trace_file *trace, const struct target_source *source,
                       const struct target_program *program, const struct target_worker *worker,
                       struct diagnostic *why)
{
    const struct worker_shared *shared = target_shared(worker);
    *why = (struct diagnostic){0};
    *trace = (struct trace_file){.code = program->code, .run.config = shared->config};
    if (shared->choices_lost)
        return diagnostic_set(why, PL_BAD_TRACE, 0, 0,
                              "an execution of more than %d choices cannot be recorded", PROTOCOL_SCHEDULE);
    keep_source(trace, source);
    trace->folder = current_folder(&trace->arena);
    if (shared->error.kind != WORKER_ERROR_NONE)
        trace->error = error_words[shared->error.kind];
    struct worker_config *config = &trace->run.config;
    config->mode = WORKER_REPLAY;
    config->expected_hash = shared->event_hash;
    config->test[sizeof config->test - 1] = 0;
    config->spec[sizeof config->spec - 1] = 0;
    config->serials_in[0] = config->serials_out[0] = 0;
    config->quasi[sizeof config->quasi - 1] = 0;
    config->nondet[sizeof config->nondet - 1] = 0;
    /* A worker that replays leaves its schedule as it was. */
    uint32_t count =
        shared->config.mode == WORKER_REPLAY ? shared->config.schedule_count : shared->choice_count;
    count = count < PROTOCOL_SCHEDULE ? count : PROTOCOL_SCHEDULE;
    size_t size = count * sizeof *shared->schedule;
    trace->run.schedule = memcpy(arena_alloc(&trace->arena, size), shared->schedule, size);
    trace->run.schedule_count = count;
    return true;
}

void trace_file_free(struct trace_file *trace)
{
    arena_free(&trace->arena);
    *trace = (struct trace_file){0};
}

/* --- writing ------------------------------------------------------------------------------------- */

static void write_string(struct text *out, const char *key, const char *value)
{
    text_printf(out, "%s \"", key);
    for (const unsigned char *p = (const unsigned char *)value; *p; p++) {
        if (*p == '"' || *p == '\\')
            text_printf(out, "\\%c", *p);
        else if (*p < 0x20 || *p == 0x7f)
            text_printf(out, "\\x%02x", *p);
        else
            text_add(out, (const char *)p, 1);
    }
    text_puts(out, "\"\n");
}

static void write_optional(struct text *out, const char *key, const char *value)
{
    if (value && *value)
        write_string(out, key, value);
}

static bool same_step(struct schedule_step a, struct schedule_step b)
{
    return a.kind == b.kind && a.answer == b.answer;
}

static const char *const letters[] = {
#define X(name, letter) letter,
    SCHEDULE_KINDS(X)
#undef X
};

static void write_schedule(struct text *out, const struct schedule_step *steps, uint32_t count)
{
    text_printf(out, "schedule %" PRIu32 "\n", count);
    size_t line = out->len;
    for (uint32_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && same_step(steps[i], steps[i + run]);)
            run++;
        char word[32], times[16] = "";
        if (run > 1)
            snprintf(times, sizeof times, "*%" PRIu32, run);
        snprintf(word, sizeof word, "%s%u%s", letters[steps[i].kind], (unsigned)steps[i].answer, times);
        if (out->len > line && out->len - line + strlen(word) >= LINE_WIDTH) {
            text_puts(out, "\n");
            line = out->len;
        }
        text_printf(out, "%s%s", out->len > line ? " " : "", word);
    }
    text_puts(out, out->len > line ? "\nend\n" : "end\n");
}

static void write_trace(struct text *out, const struct trace_file *trace)
{
    const struct worker_config *config = &trace->run.config;
    const struct target_source *source = &trace->source;
    text_puts(out, "plumbline trace 1\n");
    write_optional(out, "folder", trace->folder);
    for (size_t i = 0; i < source->file_count; i++)
        write_string(out, "file", source->files[i]);
    for (size_t i = 0; i < source->flag_count; i++)
        write_string(out, "flag", source->flags[i]);
    write_optional(out, "cc", source->cc);
    write_optional(out, "cxx", source->cxx);
    text_printf(out, "code %016" PRIx64 "\n", trace->code);
    write_optional(out, "test", config->test);
    write_optional(out, "spec", config->spec);
    write_optional(out, "golden", trace->golden_file);
    write_optional(out, "goldendefine", trace->golden_define);
    write_optional(out, "quasi", config->quasi);
    write_optional(out, "nondet", config->nondet);
    write_optional(out, "memory", config->memory);
    if (config->client_fixed)
        text_puts(out, "fixed\n");
    if (config->serial)
        text_printf(out, "serial %" PRIu32 "\n", config->serial);
    if (config->all_seq_cst)
        text_puts(out, "allseqcst\n");
    write_optional(out, "error", trace->error);
    if (config->step_limit)
        text_printf(out, "steps %" PRIu32 "\n", config->step_limit);
    if (config->leaks)
        text_puts(out, "leaks\n");
    if (config->choices & CHOICE_SPURIOUS)
        text_puts(out, "spurious\n");
    if (config->choices & CHOICE_WEAK_CAS)
        text_puts(out, "weakcas\n");
    if (config->choices & CHOICE_REUSE)
        text_puts(out, "reuse\n");
    if (config->errors_passed)
        text_printf(out, "passes %" PRIu32 "\n", config->errors_passed);
    if (config->choices & CHOICE_RACES)
        text_puts(out, "races\n");
    if (config->choices & CHOICE_VOLATILE)
        text_puts(out, "volatile\n");
    if (config->choices & CHOICE_UNINITIALISED)
        text_puts(out, "uninitialized\n");
    if (config->races)
        text_printf(out, "race %" PRIx32 " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", config->races,
                    config->race.places[0], config->race.places[1], config->race.address);
    text_printf(out, "events %016" PRIx64 "\n", config->expected_hash);
    write_schedule(out, trace->run.schedule, trace->run.schedule_count);
}

bool trace_file_save(const struct trace_file *trace, const char *path, struct diagnostic *why)
{
    struct text out = {0};
    *why = (struct diagnostic){0};
    write_trace(&out, trace);
    FILE *file = fopen(path, "we");
    bool written = file && fwrite(out.data, 1, out.len, file) == out.len;
    written = file && fclose(file) == 0 && written;
    int error = errno;
    text_free(&out);
    if (written)
        return true;
    snprintf(why->file, sizeof why->file, "%s", path);
    return diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot be written: %s", strerror(error));
}
