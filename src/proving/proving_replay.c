/* SPDX-License-Identifier: Apache-2.0 */
/* Counterexamples as files, and from files. */
#include "base/memory.h"
#include "base/shell_word.h"
#include "proving/proving.h"

#include <stdio.h>
#include <string.h>

bool proving_set_replay(const struct proving *p, const int64_t *numbers, size_t count,
                        struct prove_shared *again)
{
    const struct prove_question *q = &p->question;
    again->question = (struct prove_question){.mode = PROVE_REPLAY};
    memcpy(again->question.spec, q->spec, sizeof q->spec);
    memcpy(again->question.library, q->library, sizeof q->library);
    memcpy(again->question.quasi, q->quasi, sizeof q->quasi);
    if (p->answer) {
        again->table = p->answer->table;
        again->place_count = p->answer->place_count;
        again->call_count = p->answer->call_count;
        memcpy(again->places, p->answer->places, sizeof again->places);
        memcpy(again->calls, p->answer->calls, sizeof again->calls);
    }
    return proving_record_read(again, numbers, count);
}

bool proving_has_same_answers(const struct prove_shared *a, const struct prove_shared *b)
{
    bool same = a->event_count == b->event_count;
    for (uint32_t i = 0; same && i < a->event_count; i++)
        same = a->events[i].kind == b->events[i].kind && a->events[i].value == b->events[i].value &&
               a->events[i].number == b->events[i].number;
    return same;
}

/* --- the file ------------------------------------------------------------------------------------------------------------- */

static void add_name(struct text *out, const struct proving *p)
{
    if (p->trace)
        text_puts(out, p->trace);
    else
        text_add_name(out, p->out, p->name, ".plr");
}

void proving_save(struct proving *p)
{
    struct trace_file trace = {.golden_file = p->golden,
                               .golden_define = p->golden_define,
                               .proof = p->record.data,
                               .proof_count = (uint32_t)p->record.len};
    trace_file_begin(&trace, &p->source);
    snprintf(trace.run.config.spec, sizeof trace.run.config.spec, "%s", p->spec_word ? p->spec_word : "");
    snprintf(trace.run.config.quasi, sizeof trace.run.config.quasi, "%s", p->question.quasi);
    add_name(&p->recorded, p);
    if (trace_file_save(&trace, p->recorded.data, &p->unrecorded)) {
        text_puts(&p->replay, "plumb replay");
        shell_add_file(&p->replay, p->recorded.data);
        p->found.counterexample.replay = p->replay.data;
    } else {
        text_clear(&p->recorded);
    }
    trace_file_free(&trace);
}

/* --- again ---------------------------------------------------------------------------------------------------------------- */

static const char differs[] =
    "the run differs from the recorded one: the program has changed, or depends on more than its schedule";

static void judge(struct proving *p, const char *path, const struct prove_shared *recorded)
{
    snprintf(p->why, sizeof p->why, "%s", p->answer->message);
    p->verdict = VERDICT_INCONCLUSIVE;
    if (p->answer->answer != PROVE_VIOLATED || !proving_has_same_answers(recorded, p->answer))
        snprintf(p->why, sizeof p->why, "%s", differs);
    else if (proving_explain(p, path, p->answer))
        p->verdict = VERDICT_VIOLATED;
}

/* `recorded` keeps what is to be answered. */
static void run(struct proving *p, const struct target_program *program, struct prove_shared *recorded,
                const struct proving_gdb *gdb)
{
    if (!p->answer->question.no_liveness)
        proving_find_places(program->path, p->answer);
    memcpy(recorded, p->answer, sizeof *recorded);
    if (!proving_ask(p, program)) {
        p->verdict = VERDICT_INCONCLUSIVE;
        return;
    }
    judge(p, program->path, recorded);
    if (!gdb || p->verdict != VERDICT_VIOLATED)
        return;
    recorded->table = p->answer->table;
    memcpy(p->answer, recorded, sizeof *recorded);
    p->answer->question.debugger = true;
    p->verdict = VERDICT_INCONCLUSIVE;
    if (!proving_debug(p, program, p->answer, gdb))
        snprintf(p->why, sizeof p->why, "gdb was left before the recorded error");
    else if (p->answer->answer != PROVE_VIOLATED || !proving_has_same_answers(recorded, p->answer))
        snprintf(p->why, sizeof p->why, "%s", differs);
    else
        p->verdict = VERDICT_VIOLATED;
}

void proving_replay(struct proving *p, const struct trace_file *trace, const struct proving_gdb *gdb)
{
    OWNED struct prove_shared *recorded = NEW_ZEROED(struct prove_shared, 1),
                              *first = NEW_ZEROED(struct prove_shared, 1);
    struct target_program *program = NULL;
    p->source = trace->source;
    p->golden = trace->golden_file;
    p->golden_define = trace->golden_define;
    if (!proving_set_replay(p, trace->proof, trace->proof_count, first))
        diagnostic_set(&p->error, PL_BAD_TRACE, 0, 0, "this is not a run of this version of plumb prove");
    else
        program = target_build_proved(&p->source, &p->error);
    if (!program)
        return;
    p->answer = NEW(struct prove_shared);
    memcpy(p->answer, first, sizeof *first);
    p->question = first->question;
    run(p, program, recorded, gdb);
    target_program_free(program);
}
