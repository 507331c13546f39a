/* SPDX-License-Identifier: Apache-2.0 */
/* What may happen and rarely does, and what the runtime cannot do. */
#include "engine/engine_state.h"
#include "engine/memory/snapshot.h"
#include "engine/memory/undefined_bits.h"
#include "engine/code/imports.h"
#include "explore/graphs.h"
#include "explore/graphs_memory.h"
#include "graph/cycles.h"
#include "graph/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void engine_limit(enum worker_limit limit)
{
    engine.shared->limits |= limit;
}

void engine_note_unseen(struct import_call *call)
{
    struct worker_shared *s = engine.shared;
    undefined_forget();
    if (call->was_called)
        return;
    call->was_called = true;
    for (uint32_t k = 0; k < s->unseen_count; k++)
        if (strcmp(s->unseen[k].function, call->name) == 0 &&
            strcmp(s->unseen[k].library, call->library) == 0)
            return;
    if (s->unseen_count == PROTOCOL_UNSEEN) {
        s->unseen_lost++;
        return;
    }
    struct worker_unseen *u = &s->unseen[s->unseen_count++];
    snprintf(u->library, sizeof u->library, "%s", call->library);
    snprintf(u->function, sizeof u->function, "%s", call->name);
}

void engine_keep_answer(const char *name, uint64_t pc, bool is_given)
{
    struct worker_shared *s = engine.shared;
    const uint32_t room = sizeof s->answers / sizeof *s->answers;
    for (uint32_t k = 0; k < s->answer_count; k++)
        if (s->answers[k].pc == pc)
            return;
    if (s->answer_count >= room) {
        s->answers_lost = true;
        return;
    }
    struct worker_answer *a = &s->answers[s->answer_count++];
    a->pc = pc;
    a->is_given = is_given;
    snprintf(a->name, sizeof a->name, "%s", name);
}

void engine_note_answer(const char *function, const void *pc)
{
    if (!snapshot_is_runtime_code(pc))
        engine_keep_answer(function, (uint64_t)pc, true);
}

/* The number of the place, or of places: it is not there. */
static uint32_t find_place(const struct spurious *s, uint64_t object, uint64_t pc)
{
    uint32_t k = 0;
    while (k < s->count && (s->places[k].object != object || s->places[k].pc != pc))
        k++;
    return k;
}

static bool may_happen(const struct spurious *s, uint64_t object, const void *pc)
{
    return s->count < SPURIOUS_PLACES && find_place(s, object, (uint64_t)pc) == s->count;
}

static void forget_place(struct spurious *s, uint64_t object, const void *pc)
{
    uint32_t k = find_place(s, object, (uint64_t)pc);
    if (k < s->count)
        s->places[k] = s->places[--s->count];
}

void engine_describe_weak(uint64_t object, const void *pc)
{
    if (engine_graph_mode && engine.shared->config.choices & CHOICE_WEAK_CAS &&
        may_happen(&engine.running->spurious, object, pc))
        engine.next[engine.current].flags |= PORT_WEAK;
}

/* Explorers of graphs have chosen already, with the step. */
static bool choose(enum worker_choice what)
{
    return engine_graph_mode && what == CHOICE_WEAK_CAS ? engine.answered_failure : engine_branch(2) != 0;
}

bool engine_happens(enum worker_choice what, uint64_t object, const void *pc)
{
    struct spurious *s = &engine.running->spurious;
    if (!(engine.shared->config.choices & what)) {
        engine_limit(what == CHOICE_SPURIOUS ? LIMIT_SPURIOUS : LIMIT_WEAK_CAS);
        return false;
    }
    if (!may_happen(s, object, pc)) {
        forget_place(s, object, pc);
        spin_effect(&engine.running->spin); /* a loop comes back to another state than this one */
        engine_limit(LIMIT_IN_A_ROW);
        return false;
    }
    if (!choose(what))
        return false;
    s->places[s->count].object = object;
    s->places[s->count++].pc = (uint64_t)pc;
    return true;
}

void engine_refute_assumption(void)
{
    engine.refuted = true;
    engine_halt_thread(PORT_BOUNDED);
}

bool engine_was_refuted(void)
{
    return engine.refuted;
}

void engine_begin_whole(void)
{
    engine.running->within++;
}

void engine_end_whole(void)
{
    engine.running->within--;
}

void engine_enter_section(uint64_t lock)
{
    engine.section_owner = engine.current + 1;
    engine.section_lock = lock;
}

void engine_leave_section(void)
{
    engine.section_owner = 0;
}

bool engine_sections_stand(void)
{
    if (!engine.section_lock || !engine_graph_mode ||
        !model_is(engine.shared->config.memory, MODEL_INTERLEAVED))
        return true;
    return graph_sections_stand(explore_graphs_current(engine.explorer), GRAPHS_OBJECT | engine.section_lock);
}

const struct worker_config *engine_config(void)
{
    return &engine.shared->config;
}

void engine_give_up(const void *pc, const char *format, ...)
{
    struct worker_shared *s = engine.shared;
    engine_active = false;
    if (!(s->limits & LIMIT_UNSUPPORTED)) {
        va_list args;
        va_start(args, format);
        vsnprintf(s->unsupported, sizeof s->unsupported, format, args);
        va_end(args);
        s->unsupported_pc = (uint64_t)pc;
    }
    engine_limit(LIMIT_UNSUPPORTED);
    engine_end(PORT_CUT);
}
