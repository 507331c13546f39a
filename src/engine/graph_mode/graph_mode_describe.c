/* SPDX-License-Identifier: Apache-2.0 */
/* What hooks of the runtime say to an explorer of graphs about the step that comes next, and ask it. */
#include "base/hash.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/engine_state.h"
#include "engine/graph_mode/plain_split.h"
#include "explore/graphs.h"
#include "explore/graphs_memory.h"

uint8_t engine_unlock_order = ORDER_RELEASE;

void engine_describe_object(enum operation o, uint64_t operand, uint64_t value, unsigned order)
{
    struct port_action *a = &engine.next[engine.current];
    a->operation = (uint8_t)o;
    a->flags = PORT_OBJECT;
    a->order = (uint8_t)order;
    a->failure_order = ORDER_RELAXED;
    a->operand = operand;
    a->expected = 0;
    engine.running->object_value = value;
}

void engine_describe_memory(enum operation o, unsigned order, unsigned failure_order, event_word operand,
                            event_word expected)
{
    struct port_action *a = &engine.next[engine.current];
    a->operation = (uint8_t)o;
    a->flags = 0;
    a->order = (uint8_t)order;
    a->failure_order = (uint8_t)failure_order;
    a->operand = operand;
    a->expected = expected;
}

uint64_t engine_found(uint64_t seen)
{
    return engine_graph_mode ? engine.answered_value : seen;
}

uint32_t engine_picked(void)
{
    return engine.answered_thread;
}

void engine_describe_assumption(void)
{
    engine.next[engine.current].flags |= PORT_ASSUMES;
}

/* Did the current thread touch nothing since its last step, but perhaps read the handle of a thread? */
static bool touched_nothing(const void *handle)
{
    const struct thread *t = engine.running;
    return t->touched == 0 || (t->touched == 1 && t->read_address == (uint64_t)handle);
}

void engine_describe_create(uint64_t entry, uint64_t argument)
{
    struct port_action *a = &engine.next[engine.current];
    a->operand = hash_combine(hash_word(entry), argument) | 1;
    a->expected = touched_nothing(NULL);
}

void engine_describe_join(const void *handle, bool wants_result)
{
    struct port_action *a = &engine.next[engine.current];
    a->operand = wants_result;
    a->expected = touched_nothing(handle);
}

/* That a thread is joined or detached is no part of a graph. If the same thread does it each time, it is part of what that one
 * knows; otherwise whether it is done twice depends on two of them. Numbers of threads may vary, so the thread that does it
 * is known by what it is to the other. */
void engine_claim_thread(uint32_t number)
{
    enum { BY_CREATOR = 1, BY_ITSELF = 2, BY_ANOTHER = 4 };
    static uint8_t claimed_by[THREADS_MAX]; /* in all executions */
    struct thread *t = engine.running;
    uint8_t by = engine.current == number ? BY_ITSELF : BY_ANOTHER;
    if (engine.current == engine.threads[number].creator && number != 0)
        by = BY_CREATOR;
    t->claimed = hash_combine(t->claimed, number) | 1;
    claimed_by[number] |= by;
    if (claimed_by[number] != BY_CREATOR && claimed_by[number] != BY_ITSELF)
        engine_depend_on_order();
}

void engine_depend_on_order(void)
{
    if (graph_mode_interest.shares_nothing)
        graph_mode_shares();
}

void engine_distinguish_threads(void)
{
    if (engine_graph_mode)
        explore_graphs_distinguish_twins(engine.explorer, engine.current);
}

void engine_refuse_graph(const char *what, const void *pc)
{
    if (engine_graph_mode)
        engine_give_up(pc, "%s in an exploration of graphs (--mode dfs can)", what);
}

bool engine_is_in_use(uint64_t object, uint32_t *user)
{
    uint64_t found;
    return engine_graph_mode &&
           explore_graphs_object_in_use(engine.explorer, engine.current, object, object + 1, &found, user);
}

void engine_note_use(struct engine_uses *u)
{
    u->any = true;
    if (engine_graph_mode)
        u->next_step[engine.current] = explore_graphs_position(engine.explorer, engine.current, 0) + 1;
}

bool engine_is_unordered(const struct engine_uses *u)
{
    for (uint32_t t = 0; engine_graph_mode && u->any && t < engine.count; t++)
        if (t != engine.current && u->next_step[t] &&
            explore_graphs_known(engine.explorer, engine.current, t) < u->next_step[t])
            return true;
    return false;
}

bool engine_knows_outside(uint32_t kind)
{
    return engine_graph_mode && plain_knows(GRAPHS_OUTSIDE, kind);
}

void engine_share_outside(uint32_t kind)
{
    if (!graph_mode_relates)
        plain_find_out(GRAPHS_OUTSIDE, kind);
}

bool engine_is_alone(void)
{
    return engine.count == 1;
}
