/* SPDX-License-Identifier: Apache-2.0 */
/* One recorded execution: who went on, what each step read from, where each write stands in mo. */
#include "explore/graphs/graphs_inside.h"

#include "base/memory.h"

/* --- recording -------------------------------------------------------------------------------------- */

struct recorder {
    const struct graphs *x;
    const struct graphs_happened *happened;
    uint32_t happened_count;
    uint64_t threads; /* bits: created so far */
    struct schedule_step *steps;
    uint32_t count, room;
    /* By stamp: how many steps came before, counted from 1; 0: did not happen */
    uint32_t *place;
};

static void record(struct recorder *r, enum schedule_kind kind, uint32_t answer)
{
    if (r->count < r->room && answer <= UINT16_MAX)
        r->steps[r->count] = (struct schedule_step){(uint16_t)kind, (uint16_t)answer};
    r->count++;
}

/* The number of the step that wrote w, 0: it is an initial value. */
static uint32_t place_of(const struct recorder *r, uint32_t w)
{
    return r->x->g->events[w].type == GRAPH_INIT ? 0 : r->place[w];
}

/* The last write before w in mo that had happened when w did. */
static uint32_t mo_place(const struct recorder *r, uint32_t w)
{
    uint32_t before = r->x->g->events[w].mo_before;
    while (r->x->g->events[before].type != GRAPH_INIT &&
           (!r->place[before] || r->place[before] > r->place[w]))
        before = r->x->g->events[before].mo_before;
    return place_of(r, before);
}

/* A new thread gets the lowest number that is free, unless the explorer had other uses for it at that time. */
static void record_create(struct recorder *r, uint32_t number)
{
    if (number != (uint32_t)__builtin_ctzll(~r->threads))
        record(r, SCHEDULE_PICKS, number);
    r->threads |= UINT64_C(1) << number;
}

/* One answer for each part. */
static void record_read(struct recorder *r, uint32_t e)
{
    const struct graph_event *ev = &r->x->g->events[e];
    record(r, SCHEDULE_READS, place_of(r, ev->rf));
    while (ev->flags & GRAPH_MORE) {
        ev = &r->x->g->events[ev->po_after];
        record(r, SCHEDULE_READS, place_of(r, ev->rf));
    }
    if (operation_picks(ev->label.operation) && ev->expected != OPERATION_NO_PICK)
        record(r, SCHEDULE_PICKS, (uint32_t)ev->expected);
    if (ev->flags & GRAPH_FAILS)
        record(r, SCHEDULE_FAILS, 0);
}

static void record_event(struct recorder *r, uint32_t e)
{
    const struct graph_event *ev = &r->x->g->events[e];
    if (ev->type == GRAPH_BRANCH) {
        record(r, SCHEDULE_BRANCH, (uint32_t)ev->value);
        return;
    }
    if (ev->label.kind == EVENT_PLAIN_WRITE)
        return; /* follows from the rest */
    record(r, SCHEDULE_THREAD, ev->thread);
    if (ev->type == GRAPH_READ) {
        record_read(r, e);
    } else if (ev->type == GRAPH_WRITE) {
        record(r, SCHEDULE_FOLLOWS, mo_place(r, e));
        for (; r->x->g->events[e].flags & GRAPH_MORE; record(r, SCHEDULE_FOLLOWS, mo_place(r, e)))
            e = r->x->g->events[e].po_after;
    } else if (ev->type == GRAPH_CREATE) {
        record_create(r, (uint32_t)ev->address);
    }
}

static void note_place(struct recorder *r, uint32_t e, uint32_t place)
{
    uint32_t last = graph_last_of_step(r->x->g, e);
    for (; e != last; e = r->x->g->events[e].po_after)
        r->place[e] = place;
    r->place[last] = place;
}

static void record_facts(struct recorder *r)
{
    for (size_t i = 0; i < r->x->sites.list.len; i++) {
        const struct graphs_site *s = &r->x->sites.list.data[i];
        if (!graphs_is_fact(s) || !s->no_mutex)
            continue;
        for (int shift = 48; shift >= 0; shift -= 16)
            record(r, SCHEDULE_KNOWS, s->address >> shift & UINT16_MAX);
    }
}

static uint32_t record_all(struct recorder *r)
{
    const struct graphs *x = r->x;
    record_facts(r);
    r->place = NEW_ZEROED(uint32_t, x->g->count + 1);
    for (uint32_t i = 0; i < r->happened_count; i++)
        if (r->happened[i].event != GRAPH_NONE)
            note_place(r, r->happened[i].event, i + 1);
    for (uint32_t i = 0; i < r->happened_count; i++) {
        if (r->happened[i].event == GRAPH_NONE)
            record(r, SCHEDULE_THREAD, r->happened[i].thread); /* a yield */
        else
            record_event(r, r->happened[i].event);
    }
    if (x->run.stopped)
        record(r, SCHEDULE_STOP, x->run.why);
    free(r->place);
    return r->count;
}

uint32_t explore_graphs_schedule(const struct explorer *e, struct schedule_step *steps, uint32_t room)
{
    const struct graphs *x = graphs_of(e);
    struct recorder r = {.x = x,
                         .happened = x->run.happened.data,
                         .happened_count = (uint32_t)x->run.happened.len,
                         .threads = 1,
                         .steps = steps,
                         .room = room};
    return record_all(&r);
}

uint32_t explore_graphs_display_schedule(const struct explorer *e, bool causes_only,
                                         struct schedule_step *steps, uint32_t room)
{
    const struct graphs *x = graphs_of(e);
    OWNED struct graphs_happened *order = NEW_ARRAY(struct graphs_happened, x->run.happened.len + 1);
    struct recorder r = {.x = x, .happened = order, .threads = 1, .steps = steps, .room = room};
    r.happened_count = graphs_display_order(x, causes_only, order);
    uint32_t count = r.happened_count ? record_all(&r) : 0;
    return count <= room ? count : 0;
}

/* --- following -------------------------------------------------------------------------------------- */

static const struct schedule_step *next_step(struct graphs *x, enum schedule_kind kind)
{
    if (x->script.next >= x->script.count || x->script.steps[x->script.next].kind != kind)
        return NULL;
    return &x->script.steps[x->script.next++];
}

/* The write with that number. GRAPH_NONE: there is none at this location. */
static uint32_t find_write(const struct graphs *x, uint32_t number, uint32_t location)
{
    if (number == 0)
        return x->g->locations[location].init;
    uint32_t w = number <= x->run.happened.len ? x->run.happened.data[number - 1].event : GRAPH_NONE;
    uint32_t last = w == GRAPH_NONE ? w : graph_last_of_step(x->g, w);
    while (w != GRAPH_NONE && (!graph_is_write(&x->g->events[w]) || x->g->events[w].location != location))
        w = w == last ? GRAPH_NONE : x->g->events[w].po_after;
    return w;
}

/* Gives the event that was just added, with the newest write to read or to follow, what is recorded. */
static bool correct_part(struct graphs *x, uint32_t r)
{
    const struct schedule_step *s = next_step(x, SCHEDULE_READS);
    uint32_t w = s ? find_write(x, s->answer, x->g->events[r].location) : GRAPH_NONE;
    if (w != GRAPH_NONE)
        graph_set_rf(x->g, r, w);
    return w != GRAPH_NONE;
}

static bool correct_read(struct graphs *x, uint32_t r, struct port_answer *answer)
{
    struct graph *g = x->g;
    graph_cut(g, r + 1);
    if (!correct_part(x, r))
        return false;
    while (g->events[r].flags & GRAPH_MORE) {
        r = graphs_append_next_part(x, r);
        if (!correct_part(x, r)) {
            graph_leave_open(g, r);
            return false;
        }
    }
    const struct schedule_step *pick = next_step(x, SCHEDULE_PICKS);
    if (pick)
        graph_set_pick(g, r, pick->answer);
    bool fails = next_step(x, SCHEDULE_FAILS);
    if (fails && !graph_may_fail(g, r))
        return false;
    if (fails)
        graph_set_failing(g, r);
    if (g->events[r].flags & GRAPH_UPDATE)
        graphs_add_update(x, r);
    answer->found = graph_value(g, r);
    answer->thread = (uint32_t)g->events[r].expected;
    answer->fails = fails;
    return true;
}

static bool correct_part_of_write(struct graphs *x, uint32_t w)
{
    const struct schedule_step *s = next_step(x, SCHEDULE_FOLLOWS);
    uint32_t before = s ? find_write(x, s->answer, x->g->events[w].location) : GRAPH_NONE;
    if (before == GRAPH_NONE)
        return false;
    graph_unplace(x->g, w);
    graph_place(x->g, w, before);
    return true;
}

static bool correct_write(struct graphs *x, uint32_t w)
{
    bool ok = correct_part_of_write(x, w);
    for (; ok && x->g->events[w].flags & GRAPH_MORE; ok = correct_part_of_write(x, w))
        w = x->g->events[w].po_after;
    return ok;
}

static void follow_facts(struct graphs *x)
{
    const struct schedule_step *s;
    uint64_t address = 0;
    for (int quarters = 1; (s = next_step(x, SCHEDULE_KNOWS)); quarters++) {
        address = address << 16 | s->answer;
        if (quarters % 4 == 0)
            explore_graphs_no_mutex(&x->base, address);
    }
}

static bool follow_step(struct graphs *x, const struct port_action *a, struct port_answer *answer)
{
    uint32_t count = x->g->count;
    const struct schedule_step *created = a->kind == EVENT_CREATE ? next_step(x, SCHEDULE_PICKS) : NULL;
    x->script.created = created && created->answer < GRAPH_THREADS_MAX ? created->answer : 0;
    if (!graphs_add_step(x, a, answer))
        return false;
    uint32_t e = count;
    while (e < x->g->count && x->g->events[e].type == GRAPH_INIT)
        e++;
    bool ok = e < x->g->count; /* or sizes are mixed, which is not recorded */
    if (!ok)
        return false;
    if (x->g->events[e].type == GRAPH_READ)
        ok = correct_read(x, e, answer);
    else if (x->g->events[e].type == GRAPH_WRITE)
        ok = correct_write(x, e);
    vec_clear(&x->search.items);
    x->search.restart = false;
    return ok && !(x->g->events[x->g->threads[a->thread].last].flags & GRAPH_BLOCKED);
}

static uint32_t diverge(struct graphs *x, struct port_answer *answer)
{
    x->run.diverged = true;
    x->run.limit = "the program did something else than before";
    return graphs_stop(x, answer, PORT_STOP_DIVERGED);
}

static uint32_t follow_advance(struct explorer *e, const struct port_action *next, uint64_t waiting,
                               uint32_t running, struct port_answer *answer)
{
    (void)running;
    struct graphs *x = graphs_of(e);
    if (x->run.diverged)
        return diverge(x, answer);
    if (x->script.is_beyond)
        return graphs_try_beyond(x, next, waiting, answer);
    const struct schedule_step *s = next_step(x, SCHEDULE_STOP);
    if (s)
        graphs_look_for_stop(x, next); /* later it would be too late: its steps beyond the end are its loop */
    if (s && s->answer == PORT_STOP_STUCK && x->script.beyond) {
        x->script.is_beyond = true;
        return graphs_try_beyond(x, next, waiting, answer);
    }
    if (s)
        return graphs_stop(x, answer, (enum port_stop)s->answer);
    s = next_step(x, SCHEDULE_THREAD);
    if (!s || s->answer >= GRAPH_THREADS_MAX || !(waiting >> s->answer & 1))
        return diverge(x, answer);
    uint32_t t = s->answer;
    answer->reads = answer->fails = false;
    if (next[t].kind == EVENT_YIELD) {
        graphs_note_yield(x, t);
        return t;
    }
    if (!follow_step(x, &next[t], answer))
        return diverge(x, answer);
    graphs_note_added(x, t);
    return t;
}

bool graphs_replay_store(struct graphs *x, const struct port_action *a)
{
    struct port_answer answer;
    const struct schedule_step *s = next_step(x, SCHEDULE_THREAD);
    if (!s || s->answer != a->thread || !follow_step(x, a, &answer))
        return false;
    graphs_note_added(x, a->thread);
    return true;
}

static uint32_t follow_branch(struct explorer *e, uint32_t ways)
{
    struct graphs *x = graphs_of(e);
    const struct schedule_step *s = next_step(x, SCHEDULE_BRANCH);
    bool follows = s && s->answer < ways;
    uint32_t way = follows ? s->answer : 0;
    x->run.diverged |= !follows;
    graphs_add_branch(x, way);
    return way;
}

static bool follow_expires(struct explorer *e)
{
    struct graphs *x = graphs_of(e);
    if (!x->script.is_beyond)
        return follow_branch(e, 2) != 0;
    graphs_add_branch(x, 1);
    return true;
}

static bool follow_begin(struct explorer *e)
{
    struct graphs *x = graphs_of(e);
    if (x->search.started)
        return false;
    graphs_start_over(x);
    graphs_start_replay(x);
    return true;
}

static void follow_end(struct explorer *e, enum port_outcome outcome)
{
    struct graphs *x = graphs_of(e);
    x->run.diverged |= outcome != PORT_ERROR && x->script.next < x->script.count;
}

struct explorer *explore_graphs_replay(const struct memory_model *model, const struct schedule_step *steps,
                                       uint32_t count)
{
    static struct explorer_class class;
    struct explorer *e =
        explore_graphs(&(struct graphs_settings){.model = model, .base_rule_only = true, .weak_cas = true});
    struct graphs *x = graphs_of(e);
    class = (struct explorer_class){
        "follow",   follow_begin,      NULL,           follow_branch,
        follow_end, e->class->destroy, follow_advance, follow_expires,
    };
    e->class = &class;
    x->script.steps = steps;
    x->script.count = count;
    follow_facts(x);
    return e;
}

void explore_graphs_replay_beyond(struct explorer *e, uint32_t steps)
{
    graphs_of(e)->script.beyond = steps;
}

bool explore_graphs_diverged(const struct explorer *e)
{
    return graphs_of(e)->run.diverged;
}
