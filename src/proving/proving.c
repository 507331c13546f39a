/* SPDX-License-Identifier: Apache-2.0 */
#include "proving/proving.h"

#include "base/budget.h"
#include "base/deadline.h"
#include "base/memory.h"
#include "target/build.h"
#include "target/code/foreign.h"
#include "target/code/inline_text.h"
#include "target/code/liveness.h"
#include "target/symbols/symbols.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what matters in frames ---------------------------------------------------------------------------------------- */

static void add_place(struct prove_place *list, uint32_t *count, uint64_t pc, const struct fold_frame *f)
{
    if (*count == PROVE_PLACES_MAX)
        return;
    struct prove_place *p = &list[(*count)++];
    *p = (struct prove_place){
        .pc = pc, .depth = f->depth, .registers = f->registers, .reads_above = f->reads_above};
    _Static_assert(sizeof p->parts == sizeof f->parts && sizeof p->saved == sizeof f->saved,
                   "the same frames");
    _Static_assert((int)PROVE_FRAME_PART == (int)FOLD_PART && (int)PROVE_FRAME_KEPT == (int)FOLD_KEPT,
                   "the same frames");
    memcpy(p->parts, f->parts, sizeof p->parts);
    memcpy(p->saved, f->saved, sizeof p->saved);
}

void proving_find_places(const char *path, struct prove_shared *s)
{
    OWNED struct fold_places *all = NEW(struct fold_places);
    liveness_find_all(path, all);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->list[i].knows_frame)
            add_place(s->places, &s->place_count, all->list[i].pc, &all->list[i].frame);
    for (uint32_t i = 0; i < all->call_count; i++)
        add_place(s->calls, &s->call_count, all->calls[i].pc, &all->calls[i].frame);
}

/* --- what no hook announces ---------------------------------------------------------------------------------- */

/* The first of the list. */
static void name_unannounced(struct proving *p, const struct compiled *record)
{
    const struct compiled_place *first = record->places.len ? record->places.data : NULL;
    if (first)
        text_printf(&p->unseen, "%s (%s:%lu)", first->kind, first->file, first->line);
}

static void find_unseen(struct proving *p, const struct target_program *program)
{
    struct foreign f = foreign_find(program->path);
    OWNED char *assembly = inline_text_find(program->folder);
    if (assembly)
        text_printf(&p->unseen, "inline assembly (%.60s)", assembly);
    else if (f.atomics)
        text_printf(&p->unseen, "%.120s", f.atomics);
    else if (f.query)
        text_printf(&p->unseen, "what an instruction answers that asks for more than memory (%.80s)",
                    f.query);
    else if (f.functions.len)
        text_printf(&p->unseen, "the function %.80s, which was compiled without hooks", f.functions.data[0]);
    else
        name_unannounced(p, &program->record);
    free(f.atomics);
    foreign_free(&f);
}

/* --- the answer ----------------------------------------------------------------------------------------------------- */

static void be_inconclusive(struct proving *p, const char *why)
{
    p->verdict = VERDICT_INCONCLUSIVE;
    if (why != p->why)
        snprintf(p->why, sizeof p->why, "%s", why);
}

/* Once more, in a process that does not search, from what will be recorded. */
static void confirm(struct proving *p, const char *path)
{
    OWNED struct prove_shared *again = NEW_ZEROED(struct prove_shared, 1);
    proving_record_write(p->answer, &p->record);
    if (!proving_set_replay(p, p->record.data, p->record.len, again) || !proving_process(p, path, again))
        be_inconclusive(
            p, "an error was found, but the run that leads to it could not be repeated in another process");
    else if (again->answer != PROVE_VIOLATED)
        be_inconclusive(p, again->message);
    else if (!proving_has_same_answers(p->answer, again))
        be_inconclusive(
            p, "an error was found, but the run that leads to it answers otherwise in another process");
    else if (!proving_explain(p, path, again))
        be_inconclusive(p, p->why);
}

/* "...; calls grows: 2705 values so far (--shift if it counts positions, --forget if it is for statistics)" */
static void name_growing(struct proving *p, const char *path)
{
    struct diagnostic d = {0};
    struct worker_module program = {0};
    struct text name = {0};
    size_t length = strlen(p->why);
    snprintf(program.path, sizeof program.path, "%s", path);
    struct symbols *names = symbols_open(&program, 1, &d);
    symbols_location(names, p->answer->growing, sizeof(uint32_t), &name);
    symbols_close(names);
    snprintf(p->why + length, sizeof p->why - length, "; %.60s grows: %" PRIu32 " values so far%s", name.data,
             p->answer->growing_values,
             p->shifts || p->forgets ? ""
                                     : " (--shift if it counts positions, --forget if it is for statistics)");
    text_free(&name);
}

/* Mostly the reason. */
static void add_unseen(struct proving *p)
{
    size_t length = strlen(p->why);
    if (p->unseen.len)
        snprintf(p->why + length, sizeof p->why - length, "; not seen: %s", p->unseen.data);
}

static void conclude(struct proving *p, const char *path)
{
    const struct prove_shared *s = p->answer;
    snprintf(p->why, sizeof p->why, "%s", s->message);
    switch (s->answer) {
    case PROVE_HOLDS:
        p->verdict = VERDICT_HOLDS;
        if (p->unseen.len) {
            OWNED char *what = base_strndup(p->unseen.data, p->unseen.len);
            snprintf(p->why, sizeof p->why, "not seen: %s", what);
            p->verdict = VERDICT_INCONCLUSIVE;
        }
        break;
    case PROVE_VIOLATED:
        p->verdict = VERDICT_VIOLATED;
        confirm(p, path);
        if (p->verdict == VERDICT_VIOLATED)
            proving_save(p);
        break;
    default:
        p->verdict = VERDICT_INCONCLUSIVE;
        if (s->growing)
            name_growing(p, path);
        add_unseen(p);
        break;
    }
}

/* A harness without a specification says so; then serial runs give one. */
bool proving_ask(struct proving *p, const struct target_program *program)
{
    bool is_golden = p->golden || p->golden_define;
    if (is_golden && !proving_find_table(p, program))
        return false;
    if (proving_process(p, program->path, p->answer))
        return true;
    if (!p->answer->wants_table)
        return false;
    p->error = (struct diagnostic){0};
    p->answer->phase = PROVE_STARTING;
    p->answer->wants_table = false;
    return proving_find_table(p, program) && proving_process(p, program->path, p->answer);
}

static bool find_counters(struct proving *p, const char *path)
{
    struct prove_question *q = &p->question;
    if (!proving_find_words(p, path, p->shifts, q->shifts, &q->shift_count) ||
        !proving_find_words(p, path, p->forgets, q->forgets, &q->forget_count))
        return false;
    for (uint32_t i = 0; i < q->shift_count; i++)
        if (q->shifts[i].size != sizeof(uint32_t) && q->shifts[i].size != sizeof(uint64_t))
            return diagnostic_set(&p->error, PL_USAGE, 0, 0,
                                  "a counter of --shift has %" PRIu32
                                  " bytes: only those of 4 and 8 can be shifted",
                                  q->shifts[i].size);
    proving_find_constants(path, q);
    return true;
}

/* --- equal items ---------------------------------------------------------------------------------------------------- */

enum { EQUAL_VALUES = 2 };

/* Of all these numbers items can be made, and the specification allows it. */
static bool may_be_equal(const struct prove_shared *s)
{
    bool fine = !*s->question.quasi;
    for (uint32_t i = 0; i < s->taken_count; i++)
        fine &= s->taken[i] < 1 || s->taken[i] > EQUAL_VALUES;
    return fine;
}

/* The search with few numbers. False: it has no answer. */
static bool search_equal(struct proving *p, const char *path, struct prove_shared *s)
{
    s->question = p->question;
    s->question.free_values = EQUAL_VALUES;
    if (!p->question.no_liveness)
        proving_find_places(path, s);
    return proving_process(p, path, s);
}

/* A search with items that are all different says nothing of equal ones if the code compares them: these are searched, too. */
static void ask_with_equal(struct proving *p, const char *path)
{
    struct prove_shared *first = p->answer, *s = NULL;
    p->assumes_different = !may_be_equal(first);
    if (p->assumes_different)
        return;
    s = NEW_ZEROED(struct prove_shared, 1);
    bool has_answer = search_equal(p, path, s);
    if (has_answer && s->answer == PROVE_HOLDS) {
        p->equal_pairs = s->pairs;
        first->full_was_free |= s->full_was_free;
        first->buffers_were_full |= s->buffers_were_full;
    } else if (has_answer && s->answer == PROVE_VIOLATED) {
        p->question.free_values = EQUAL_VALUES;
        p->answer = s;
        s = first;
    } else {
        first->answer = PROVE_INCONCLUSIVE;
        snprintf(first->message, sizeof first->message,
                 "items that are equal, which the code compares: %.300s",
                 has_answer      ? s->message
                 : p->error.code ? p->error.message
                                 : p->why);
        p->error = (struct diagnostic){0};
    }
    free(s);
}

static bool ask(struct proving *p, const struct target_program *program)
{
    bool has_answer = proving_ask(p, program);
    if (has_answer && p->answer->answer == PROVE_HOLDS && p->answer->compares_items && !p->unseen.len)
        ask_with_equal(p, program->path);
    return has_answer;
}

void proving_run(struct proving *p)
{
    struct target_program *program = target_build_proved(&p->source, &p->error);
    if (!program)
        return;
    p->has_own_functions = program->has_own_functions;
    find_unseen(p, program);
    p->unshown = compiled_unshown(&program->record, true);
    if (!find_counters(p, program->path)) {
        target_program_free(program);
        return;
    }
    p->answer = NEW(struct prove_shared);
    if (p->question.seconds > 0) /* compiling has taken of it */
        p->question.seconds = fmax(fmin(p->question.seconds, deadline_left()), 0.001);
    p->answer->question = p->question;
    p->deadline = base_now() + p->question.seconds;
    if (!p->question.no_liveness)
        proving_find_places(program->path, p->answer);
    if (ask(p, program))
        conclude(p, program->path);
    else if (!p->error.code)
        be_inconclusive(p, p->why);
    target_program_free(program);
}

void proving_free(struct proving *p)
{
    if (p->outcome.result)
        explain_model_free(&p->found);
    refine_result_free(&p->run);
    for (size_t i = 0; i < p->texts.len; i++)
        free(p->texts.data[i]);
    vec_free(&p->texts);
    vec_free(&p->places);
    vec_free(&p->record);
    text_free(&p->recorded);
    text_free(&p->replay);
    text_free(&p->unseen);
    free(p->unshown);
    free(p->answer);
}
