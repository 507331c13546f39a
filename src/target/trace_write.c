/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded executions: taking them from a worker and writing them. */
#include "base/text.h"
#include "target/compilers.h"
#include "target/trace_members.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_WIDTH = 100 };

static const char *const error_words[] = {
#define X(name, word, text) [WORKER_ERROR_##name] = word,
    WORKER_ERRORS(X)
#undef X
};

#define AT(member) offsetof(struct trace_file, member)
#define TEXT(name, member)                                                                  \
    {                                                                                       \
        name, MEMBER_TEXT, AT(run.config.member), sizeof((struct worker_config *)0)->member \
    }
#define FLAG(name, member, bits)                       \
    {                                                  \
        name, MEMBER_FLAG, AT(run.config.member), bits \
    }
#define NUMBER(name, member, most)                       \
    {                                                    \
        name, MEMBER_NUMBER, AT(run.config.member), most \
    }

const struct trace_member trace_members[TRACE_MEMBERS] = {
    {"folder", MEMBER_STRING, AT(folder), 0},
    {"file", MEMBER_FILE, 0, 0},
    {"flag", MEMBER_COMPILER_FLAG, 0, 0},
    {"cc", MEMBER_STRING, AT(cc), 0},
    {"cxx", MEMBER_STRING, AT(cxx), 0},
    {"noannotations", MEMBER_FLAG, AT(source.no_annotations), 1},
    {"code", MEMBER_HASH, AT(code), 0},
    TEXT("test", test),
    TEXT("spec", spec),
    {"golden", MEMBER_STRING, AT(golden_file), 0},
    {"goldendefine", MEMBER_STRING, AT(golden_define), 0},
    TEXT("quasi", quasi),
    TEXT("nondet", nondet),
    TEXT("memory", memory),
    FLAG("fixed", client_fixed, 1),
    FLAG("everyhistory", histories, 1),
    NUMBER("sync", sync, SYNC_NONE),
    NUMBER("serial", serial, SERIAL_GRAPH),
    NUMBER("progress", progress, PROGRESS_STOPS),
    NUMBER("stoppable", stop_threads, PROTOCOL_GRAPH_THREADS),
    FLAG("allseqcst", all_seq_cst, 1),
    {"error", MEMBER_STRING, AT(error), 0},
    NUMBER("steps", step_limit, UINT32_MAX),
    FLAG("leaks", leaks, 1),
    FLAG("spurious", choices, CHOICE_SPURIOUS),
    FLAG("weakcas", choices, CHOICE_WEAK_CAS),
    FLAG("reuse", choices, CHOICE_REUSE),
    NUMBER("passes", errors_passed, UINT32_MAX),
    FLAG("races", choices, CHOICE_RACES),
    FLAG("volatile", choices, CHOICE_VOLATILE),
    FLAG("uninitialized", choices, CHOICE_UNINITIALISED),
    {"race", MEMBER_RACE, AT(run.config), 0},
    {"order", MEMBER_ORDERS, AT(run.config), 0},
    {"events", MEMBER_HASH, AT(run.config.expected_hash), 0},
    {"schedule", MEMBER_SCHEDULE, AT(run), 0},
    {"proof", MEMBER_PROOF, AT(proof), 0},
    {"end", MEMBER_END, 0, 0},
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
        .no_annotations = source->no_annotations,
    };
}

void trace_file_begin(struct trace_file *trace, const struct target_source *source)
{
    keep_source(trace, source);
    trace->folder = current_folder(&trace->arena);
    trace->cc = keep(&trace->arena, compiler_name(false));
    trace->cxx = keep(&trace->arena, compiler_name(true));
}

bool trace_file_record(struct trace_file *trace, const struct target_source *source,
                       const struct target_program *program, const struct target_worker *worker,
                       struct diagnostic *why)
{
    const struct worker_shared *shared = target_shared(worker);
    *why = (struct diagnostic){0};
    *trace = (struct trace_file){.code = program->code, .run = target_replay_of(shared)};
    if (shared->choices_lost)
        return diagnostic_set(why, PL_BAD_TRACE, 0, 0,
                              "an execution of more than %d choices cannot be recorded", PROTOCOL_SCHEDULE);
    trace_file_begin(trace, source);
    if (shared->error.kind != WORKER_ERROR_NONE)
        trace->error = error_words[shared->error.kind];
    trace->run.config.watch_orders = 0;
    trace->run.config.serials_in[0] = trace->run.config.serials_out[0] = 0;
    size_t size = trace->run.schedule_count * sizeof *shared->schedule;
    trace->run.schedule = memcpy(arena_alloc(&trace->arena, size), shared->schedule, size);
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

/* A word of a list that goes on over several lines, `run` times; `line` is where the last of these begins. */
static void write_word(struct text *out, size_t *line, const char *word, uint32_t run)
{
    char times[16] = "";
    if (run > 1)
        snprintf(times, sizeof times, "*%" PRIu32, run);
    if (out->len > *line && out->len - *line + strlen(word) + strlen(times) >= LINE_WIDTH) {
        text_puts(out, "\n");
        *line = out->len;
    }
    text_printf(out, "%s%s%s", out->len > *line ? " " : "", word, times);
}

static void write_schedule(struct text *out, const struct schedule_step *steps, uint32_t count)
{
    text_printf(out, "schedule %" PRIu32 "\n", count);
    size_t line = out->len;
    for (uint32_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && same_step(steps[i], steps[i + run]);)
            run++;
        char word[32];
        snprintf(word, sizeof word, "%s%u", letters[steps[i].kind], (unsigned)steps[i].answer);
        write_word(out, &line, word, run);
    }
    if (out->len > line)
        text_puts(out, "\n");
}

static void write_proof(struct text *out, const int64_t *numbers, uint32_t count)
{
    text_printf(out, "proof %" PRIu32 "\n", count);
    size_t line = out->len;
    for (uint32_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && numbers[i] == numbers[i + run];)
            run++;
        char word[32];
        snprintf(word, sizeof word, "%" PRId64, numbers[i]);
        write_word(out, &line, word, run);
    }
    text_puts(out, "\n");
}

static void write_race(struct text *out, const struct worker_config *config)
{
    if (config->races)
        text_printf(out, "race %" PRIx32 " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", config->races,
                    config->race.places[0], config->race.places[1], config->race.address);
}

static void write_orders(struct text *out, const struct worker_config *config)
{
    for (uint32_t k = 0; k < config->order_count; k++)
        text_printf(out, "order %" PRIx64 " %x %x\n", config->orders[k].pc, config->orders[k].order,
                    config->orders[k].failure);
}

static void write_list(struct text *out, const char *key, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        write_string(out, key, list[i]);
}

static void write_member(struct text *out, const struct trace_file *trace, const struct trace_member *m)
{
    const void *at = (const char *)trace + m->at;
    uint32_t number = m->kind == MEMBER_FLAG || m->kind == MEMBER_NUMBER ? *(const uint32_t *)at : 0;
    switch (m->kind) {
    case MEMBER_STRING: write_optional(out, m->name, *(const char *const *)at); return;
    case MEMBER_TEXT: write_optional(out, m->name, at); return;
    case MEMBER_HASH: text_printf(out, "%s %016" PRIx64 "\n", m->name, *(const uint64_t *)at); return;
    case MEMBER_FILE: write_list(out, m->name, trace->source.files, trace->source.file_count); return;
    case MEMBER_COMPILER_FLAG:
        write_list(out, m->name, trace->source.flags, trace->source.flag_count);
        return;
    case MEMBER_RACE: write_race(out, at); return;
    case MEMBER_ORDERS: write_orders(out, at); return;
    case MEMBER_SCHEDULE:
        if (!trace->proof)
            write_schedule(out, trace->run.schedule, trace->run.schedule_count);
        return;
    case MEMBER_PROOF:
        if (trace->proof)
            write_proof(out, trace->proof, trace->proof_count);
        return;
    case MEMBER_END: text_puts(out, "end\n"); return;
    case MEMBER_FLAG:
        if (number & m->limit)
            text_printf(out, "%s\n", m->name);
        return;
    case MEMBER_NUMBER:
        if (number)
            text_printf(out, "%s %" PRIu32 "\n", m->name, number);
        return;
    }
}

bool trace_file_save(const struct trace_file *trace, const char *path, struct diagnostic *why)
{
    struct text out = {0};
    *why = (struct diagnostic){0};
    text_puts(&out, "plumbline trace 1\n");
    for (size_t k = 0; k < TRACE_MEMBERS; k++)
        write_member(&out, trace, &trace_members[k]);
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
