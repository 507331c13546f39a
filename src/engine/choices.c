/* SPDX-License-Identifier: Apache-2.0 */
/* What may happen and rarely does, and what the runtime cannot do. */
#include "engine/engine_state.h"

#include <stdarg.h>
#include <stdio.h>

void engine_limit(enum worker_limit limit)
{
    engine.shared->limits |= limit;
}

/* Removes the place, if it is there. */
static bool take_place(struct spurious *s, uint64_t object, uint64_t pc)
{
    for (uint32_t k = 0; k < s->count; k++)
        if (s->places[k].object == object && s->places[k].pc == pc) {
            s->places[k] = s->places[--s->count];
            return true;
        }
    return false;
}

bool engine_happens(enum worker_choice what, uint64_t object, const void *pc)
{
    struct spurious *s = &engine.running->spurious;
    if (what == CHOICE_WEAK_CAS &&
        engine.shared->config.choices & what) /* known too late: the step is in the graph */
        engine_refuse_graph("a failure of a weak CAS", pc);
    if (!(engine.shared->config.choices & what)) {
        engine_limit(what == CHOICE_SPURIOUS ? LIMIT_SPURIOUS : LIMIT_WEAK_CAS);
        return false;
    }
    if (take_place(s, object, (uint64_t)pc) || s->count == SPURIOUS_PLACES) {
        spin_effect(&engine.running->spin); /* a loop comes back to another state than this one */
        engine_limit(LIMIT_IN_A_ROW);
        return false;
    }
    if (engine_branch(2) == 0)
        return false;
    s->places[s->count].object = object;
    s->places[s->count++].pc = (uint64_t)pc;
    return true;
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
