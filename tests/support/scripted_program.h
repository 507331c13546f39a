/* SPDX-License-Identifier: Apache-2.0 */
/* A program under test without an engine: threads with lists of actions, interpreted behind the port. */
#ifndef TESTS_SCRIPTED_PROGRAM_H
#define TESTS_SCRIPTED_PROGRAM_H

#include "base/hash.h"
#include "explore/port.h"

enum { THREADS_MOST = 6, OBJECTS = 4, STEPS_MOST = 256 };

/* One letter and one digit per action: w1 r0 (memory), l0 u0 (mutex), b3 (choice of 3 ways), s2 (starts
 * thread 2), +0 -0 (object is 1, is 0), c1 (object 1 becomes what object 0 is), !0 (error if object is 1), y0
 * (yield), a0 (yields until object is 1). */
struct script {
    const char *threads[THREADS_MOST];
    bool on_demand; /* only thread 0 runs from the start */
};

#define SCRIPT(...) ((struct script){.threads = {__VA_ARGS__}})
#define SCRIPT_ON_DEMAND(...) ((struct script){.threads = {__VA_ARGS__}, .on_demand = true})

struct machine {
    const struct script *script;
    uint8_t position[THREADS_MOST]; /* in letters */
    bool started[THREADS_MOST];
    bool memory[OBJECTS];
    bool locked[OBJECTS];
    bool failed;
    uint32_t length;
    uint8_t trace[STEPS_MOST]; /* thread, and the way taken */
};

static uint32_t script_thread_count(const struct script *s)
{
    uint32_t count = 0;
    while (count < THREADS_MOST && s->threads[count])
        count++;
    return count;
}

static struct machine machine_start(const struct script *s)
{
    struct machine m = {.script = s};
    for (uint32_t t = 0; t < script_thread_count(s); t++)
        m.started[t] = t == 0 || !s->on_demand;
    return m;
}

static const char *machine_action(const struct machine *m, uint32_t thread)
{
    return m->script->threads[thread] + m->position[thread];
}

static bool machine_can_go(const struct machine *m, uint32_t thread)
{
    const char *a = machine_action(m, thread);
    return m->started[thread] && *a && !(*a == 'l' && m->locked[a[1] - '0']);
}

static uint32_t machine_ways(const struct machine *m, uint32_t thread)
{
    const char *a = machine_action(m, thread);
    return *a == 'b' ? (uint32_t)(a[1] - '0') : 1;
}

static void machine_step(struct machine *m, uint32_t thread, uint32_t way)
{
    const char *a = machine_action(m, thread);
    uint32_t object = (uint32_t)(a[1] - '0');
    switch (*a) {
    case 'l': m->locked[object] = true; break;
    case 'u': m->locked[object] = false; break;
    case 's': m->started[object] = true; break;
    case '+': m->memory[object] = true; break;
    case '-': m->memory[object] = false; break;
    case 'c': m->memory[object] = m->memory[object - 1]; break;
    case '!': m->failed |= m->memory[object]; break;
    default: break;
    }
    if (*a != 'a' || m->memory[object])
        m->position[thread] += 2;
    m->trace[m->length++] = (uint8_t)(thread * 16 + way);
}

static uint64_t machine_hash(const struct machine *m)
{
    return hash_bytes(m->trace, m->length);
}

/* The runner: what the engine does, on a script. */
struct recording {
    struct schedule_step steps[STEPS_MOST];
    uint32_t count;
};

static uint32_t runner_list_enabled(const struct machine *m, struct port_action *enabled, uint32_t last,
                                    uint32_t *running)
{
    uint32_t count = 0;
    *running = UINT32_MAX;
    for (uint32_t t = 0; t < script_thread_count(m->script); t++) {
        if (!machine_can_go(m, t))
            continue;
        if (t == last)
            *running = count;
        bool yields = *machine_action(m, t) == 'a' || *machine_action(m, t) == 'y';
        enabled[count++] =
            (struct port_action){.thread = (uint16_t)t, .kind = yields ? EVENT_YIELD : EVENT_WRITE};
    }
    return count;
}

static uint32_t runner_ask_way(struct explorer *e, uint32_t ways, struct recording *r)
{
    if (ways < 2)
        return 0;
    uint32_t way = e->class->branch(e, ways);
    assert_true(way < ways);
    r->steps[r->count++] = (struct schedule_step){1, (uint16_t)way};
    return way;
}

static uint32_t runner_ask_thread(struct explorer *e, const struct port_action *enabled, uint32_t count,
                                  uint32_t running, struct recording *r)
{
    if (count < 2)
        return enabled[0].thread;
    uint32_t index = e->class->choose(e, enabled, count, running);
    assert_true(index < count);
    r->steps[r->count++] = (struct schedule_step){0, enabled[index].thread};
    return enabled[index].thread;
}

static bool run_once(struct explorer *e, const struct script *s, struct machine *m, struct recording *r)
{
    if (!e->class->begin(e))
        return false;
    *m = machine_start(s);
    r->count = 0;
    uint32_t last = UINT32_MAX, running, count;
    struct port_action enabled[THREADS_MOST];
    while (m->length < STEPS_MOST && (count = runner_list_enabled(m, enabled, last, &running)) > 0) {
        last = runner_ask_thread(e, enabled, count, running, r);
        machine_step(m, last, runner_ask_way(e, machine_ways(m, last), r));
    }
    e->class->end(e, m->length == STEPS_MOST ? PORT_CUT : m->failed ? PORT_ERROR : PORT_COMPLETE);
    return true;
}

#endif
