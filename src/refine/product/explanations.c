/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/product/explanations.h"

#include "base/check.h"
#include "base/sort.h"

#include <string.h>

/* Flags of drafts. */
enum { IS_QUEUED = 1, IS_RESULT = 2, IS_REACHED = 4 };

/* --- drafts ------------------------------------------------------------------------------------------------ */

static uint32_t add_draft(struct explanations *e, const struct member *m)
{
    bool is_new;
    uint32_t number = intern_add(&e->drafts, m->bytes, m->length, &is_new);
    if (is_new)
        vec_push(&e->flags, 0);
    return number;
}

static void add_result(struct explanations *e, const struct member *m)
{
    uint32_t number = add_draft(e, m);
    if (e->flags.data[number] & IS_RESULT)
        return;
    e->flags.data[number] |= IS_RESULT;
    vec_push(&e->made, number);
}

static void enqueue(struct explanations *e, const struct member *m, uint8_t flag)
{
    uint32_t number = add_draft(e, m);
    if (e->flags.data[number] & flag)
        return;
    e->flags.data[number] |= flag;
    vec_push(&e->queue, number);
}

static void clear_drafts(struct explanations *e)
{
    intern_clear(&e->drafts);
    vec_clear(&e->flags);
    vec_clear(&e->queue);
    vec_clear(&e->made);
}

/* --- one operation takes effect ------------------------------------------------------------------------------- */

static uint8_t unused_item(struct explanations *e, const struct member *m)
{
    unsigned most = RENAMING_GHOST - 1;
    for (size_t i = 0; i < m->length; i++)
        if (m->bytes[i] > most && m->bytes[i] < REFINE_OK)
            most = m->bytes[i];
    if (most + 1 >= REFINE_OK)
        e->limit = "more items than there are names for";
    return (uint8_t)(most + 1);
}

static struct machine_call describe_call(struct explanations *e, const struct header *h, struct member *m,
                                         unsigned thread, int32_t wanted)
{
    const struct machine *machine = e->machine;
    struct machine_call call = {.op = h->ops[thread], .thread = (uint8_t)thread, .wanted = wanted};
    memcpy(call.args, slot_of(m, thread) + 1, REFINE_ARGS_MAX);
    for (unsigned t = 0; t < e->threads; t++)
        if (slot_of(m, t)[0] == SLOT_CALLED && machine->roles[h->ops[t]] == PLUMB_ADDS && t != thread)
            call.coming[call.coming_count++] = slot_of(m, t)[1];
    call.unused_item = machine->has_unborn ? unused_item(e, m) : 0;
    return call;
}

/* The outcomes are in e->outcomes. */
static void act(struct explanations *e, const struct header *h, struct member *m, unsigned thread,
                int32_t wanted)
{
    size_t slots = slots_size(e);
    struct machine_call call = describe_call(e, h, m, thread, wanted);
    vec_clear(&e->outcomes.list);
    vec_clear(&e->outcomes.bytes);
    e->machine->act(e->machine, m->bytes + slots, m->length - slots, &call, &e->outcomes);
    if (e->outcomes.too_large)
        e->limit = "a specification that holds too many items: does the model lose what it is given?";
}

static void take_outcome(const struct explanations *e, const struct member *from, unsigned thread, size_t i,
                         struct member *m)
{
    const struct machine_outcome *o = &e->outcomes.list.data[i];
    size_t slots = slots_size(e);
    memcpy(m->bytes, from->bytes, slots);
    memcpy(m->bytes + slots, e->outcomes.bytes.data + o->start, o->length);
    m->length = slots + o->length;
    uint8_t *slot = slot_of(m, thread);
    slot[0] = o->is_unborn ? SLOT_UNBORN : SLOT_DONE;
    slot[1] = (uint8_t)o->answer;
    slot[2] = (uint8_t)(o->answer >> 8);
}

/* Every operation that is open in `m`, but that of `except`, takes effect. */
static void enqueue_following(struct explanations *e, const struct header *h, struct member *m,
                              unsigned except, uint8_t flag)
{
    struct member next;
    for (unsigned t = 0; t < e->threads; t++) {
        if (t == except || slot_of(m, t)[0] != SLOT_CALLED)
            continue;
        act(e, h, m, t, MACHINE_ANY);
        for (size_t i = 0; i < e->outcomes.list.len; i++) {
            take_outcome(e, m, t, i, &next);
            enqueue(e, &next, flag);
        }
    }
}

/* --- what happens to a set ------------------------------------------------------------------------------------ */

/* An item that was removed before it was added is the one that is added now. */
static void bind_unborn(struct explanations *e, const struct member *m, uint8_t item)
{
    for (unsigned t = 0; t < e->threads; t++) {
        struct member bound = *m;
        if (slot_of(&bound, t)[0] != SLOT_UNBORN)
            continue;
        struct renaming naming = {.ghosts = 0};
        for (unsigned i = 0; i < RENAMING_SIZE; i++)
            naming.to[i] = (uint8_t)i;
        naming.to[slot_of(&bound, t)[1]] = item;
        slot_of(&bound, t)[0] = SLOT_DONE;
        slot_of(&bound, t)[1] = item;
        e->machine->rename(e->machine, bound.bytes + slots_size(e), bound.length - slots_size(e), &naming);
        add_result(e, &bound);
    }
}

static void call_member(struct explanations *e, struct member *m, const struct action *a)
{
    uint8_t *slot = slot_of(m, a->thread);
    slot[0] = SLOT_CALLED;
    memcpy(slot + 1, a->args, REFINE_ARGS_MAX);
    add_result(e, m);
    if (e->machine->has_unborn && e->machine->roles[a->op] == PLUMB_ADDS)
        bind_unborn(e, m, a->args[0]);
}

static void make_idle(struct explanations *e, struct member *m, unsigned thread)
{
    memset(slot_of(m, thread), 0, SLOT_SIZE);
    add_result(e, m);
}

/* The thread's operation takes effect, if it has not, and returns. */
static void return_at_once(struct explanations *e, const struct header *h, struct member *m,
                           const struct action *a)
{
    struct member next;
    act(e, h, m, a->thread, a->answer);
    for (size_t i = 0; i < e->outcomes.list.len; i++) {
        take_outcome(e, m, a->thread, i, &next);
        make_idle(e, &next, a->thread);
    }
}

static bool is_done_with(const uint8_t *slot, uint16_t answer)
{
    return slot[0] == SLOT_DONE && slot[1] == (uint8_t)answer && slot[2] == answer >> 8;
}

/* Operations take effect as late as possible: others only before this one. */
static void return_queued(struct explanations *e, const struct header *h, const struct action *a)
{
    struct member m;
    for (size_t i = 0; i < e->queue.len && !e->limit; i++) {
        get_draft(e, e->queue.data[i], &m);
        const uint8_t *slot = slot_of(&m, a->thread);
        if (is_done_with(slot, a->answer)) {
            make_idle(e, &m, a->thread);
        } else if (slot[0] == SLOT_CALLED) {
            return_at_once(e, h, &m, a);
            enqueue_following(e, h, &m, a->thread, IS_QUEUED);
        }
    }
}

/* The model says that the operation takes effect now. */
static void point_member(struct explanations *e, const struct header *h, struct member *m,
                         const struct action *a)
{
    struct member next;
    if (slot_of(m, a->thread)[0] != SLOT_CALLED)
        return;
    act(e, h, m, a->thread, a->answer);
    for (size_t i = 0; i < e->outcomes.list.len; i++) {
        take_outcome(e, m, a->thread, i, &next);
        add_result(e, &next);
    }
}

/* BY_RANK: makes room for a new item behind `below`. */
static void insert_rank(struct header *h, struct renaming *naming, uint8_t below)
{
    *naming = (struct renaming){0};
    for (unsigned i = 1; i < RENAMING_SIZE; i++)
        naming->to[i] = (uint8_t)(i > below && i < RENAMING_GHOST ? i + 1 : i);
    unsigned at = 0;
    while (at < h->live_count && h->live[at] <= below)
        at++;
    memmove(h->live + at + 1, h->live + at, h->live_count - at);
    h->live[at] = below;
    h->live_count++;
    h->item_count++;
    for (unsigned i = at; i < h->live_count; i++)
        h->live[i]++;
}

static void apply_to_member(struct explanations *e, const struct header *h, struct member *m,
                            const struct action *a)
{
    if (a->kind == ACTION_CALL)
        call_member(e, m, a);
    else if (a->kind == ACTION_RETURN)
        enqueue(e, m, IS_QUEUED);
    else if (a->kind == ACTION_POINT)
        point_member(e, h, m, a);
    else
        add_result(e, m);
}

static const uint32_t *members_of(const struct explanations *e, uint32_t set, size_t *count)
{
    size_t length;
    const uint32_t *words = (const void *)intern_get(&e->sets, set, &length);
    *count = length / sizeof *words - 1;
    return words + 1;
}

static void get_header(const struct explanations *e, uint32_t set, struct header *h)
{
    size_t count, length;
    uint32_t number = members_of(e, set, &count)[-1];
    const uint8_t *bytes = intern_get(&e->headers, number, &length);
    memcpy(h, bytes, length);
}

static void get_member(const struct explanations *e, uint32_t number, struct member *m)
{
    const uint8_t *bytes = intern_get(&e->members, number, &m->length);
    memcpy(m->bytes, bytes, m->length);
}

/* BY_RANK: the set's name for the system's item. */
static uint16_t ranked_answer(const struct explanations *e, const struct header *h, uint16_t answer)
{
    bool is_item = e->machine->names == MACHINE_BY_RANK && answer != REFINE_NONE && answer < REFINE_OK;
    return is_item ? h->live[answer - 1] : answer;
}

static void apply(struct explanations *e, uint32_t set, struct header *h, const struct action *given)
{
    size_t count;
    struct action a = *given;
    bool shifts = a.kind == ACTION_CALL && a.arg_count && e->machine->names == MACHINE_BY_RANK;
    struct renaming naming;
    if (shifts) {
        insert_rank(h, &naming, a.args[0]);
        a.args[0]++;
    }
    if (a.kind == ACTION_CALL)
        h->ops[a.thread] = a.op;
    else
        a.answer = ranked_answer(e, h, a.answer);
    members_of(e, set, &count);
    for (size_t i = 0; i < count; i++) {
        struct member m;
        get_member(e, members_of(e, set, &count)[i], &m);
        if (shifts)
            explanations_rename_member(e, &m, &naming);
        apply_to_member(e, h, &m, &a);
    }
    if (a.kind == ACTION_RETURN) {
        return_queued(e, h, &a);
        h->ops[a.thread] = NO_OP;
    }
}

/* --- what follows ------------------------------------------------------------------------------------- */

/* Marks what follows from members; returns whether something that follows is accepted. */
static bool mark_following(struct explanations *e, const struct header *h, bool only_until_accepted)
{
    struct member m;
    vec_clear(&e->queue);
    for (size_t i = 0; i < e->made.len; i++) {
        get_draft(e, e->made.data[i], &m);
        enqueue_following(e, h, &m, REFINE_NO_THREAD, IS_REACHED);
    }
    for (size_t i = 0; i < e->queue.len && !e->limit; i++) {
        get_draft(e, e->queue.data[i], &m);
        if (only_until_accepted &&
            e->machine->accepts(e->machine, m.bytes + slots_size(e), m.length - slots_size(e)))
            return true;
        enqueue_following(e, h, &m, REFINE_NO_THREAD, IS_REACHED);
    }
    return false;
}

static void drop_what_follows(struct explanations *e, const struct header *h)
{
    if (e->made.len < 2)
        return;
    mark_following(e, h, false);
    size_t kept = 0;
    for (size_t i = 0; i < e->made.len; i++)
        if (!(e->flags.data[e->made.data[i]] & IS_REACHED))
            e->made.data[kept++] = e->made.data[i];
    e->made.len = kept;
}

static bool is_explained(struct explanations *e, const struct header *h)
{
    struct member m;
    for (size_t i = 0; i < e->made.len; i++) {
        get_draft(e, e->made.data[i], &m);
        if (e->machine->accepts(e->machine, m.bytes + slots_size(e), m.length - slots_size(e)))
            return true;
    }
    for (size_t i = 0; i < e->flags.len; i++)
        e->flags.data[i] &= (uint8_t)~IS_REACHED;
    return mark_following(e, h, true);
}

static bool is_in_order(const struct header *h, const struct action *a)
{
    uint8_t open = h->ops[a->thread];
    return a->kind == ACTION_CALL ? open == NO_OP : a->kind != ACTION_RETURN || open == a->op;
}

static uint32_t make_next(struct explanations *e, uint32_t set, const struct action *a)
{
    struct header h;
    get_header(e, set, &h);
    if (!is_in_order(&h, a))
        return EXPLANATIONS_BAD_ORDER;
    clear_drafts(e);
    apply(e, set, &h, a);
    if (a->kind == ACTION_RETURN)
        drop_what_follows(e, &h);
    if (a->kind != ACTION_RENAME && a->kind != ACTION_CALL && !is_explained(e, &h))
        return EXPLANATIONS_NONE;
    return explanations_form_set(e, &h, a);
}

/* --- the interface --------------------------------------------------------------------------------------------- */

uint32_t explanations_after(struct explanations *e, uint32_t set, const struct action *a)
{
    uint32_t number = intern_add(&e->actions, a, offsetof(struct action, names) + a->item_count + 1, NULL);
    uint64_t key = (uint64_t)set << 32 | number;
    uint32_t known = hash_map_get(&e->memo, key);
    if (known != HASH_NO_NUMBER)
        return known - 1;
    uint32_t next = make_next(e, set, a);
    *hash_map_at(&e->memo, key) = next + 1;
    return next;
}

void explanations_trace(struct explanations *e, uint32_t set, const struct action *a, uint8_t *to)
{
    memset(to, 0, RENAMING_GHOST);
    if (make_next(e, set, a) < EXPLANATIONS_BAD_ORDER)
        memcpy(to, e->naming.to, RENAMING_GHOST);
}

uint32_t explanations_first(struct explanations *e)
{
    struct member m = {.length = 0};
    struct action a = {.kind = ACTION_RENAME};
    struct header h = {.item_count = 0};
    memset(h.ops, NO_OP, sizeof h.ops);
    for (uint32_t t = 0; t < e->threads; t++)
        a.threads[t] = (uint8_t)t;
    m.length = slots_size(e) + e->machine->initial(e->machine, m.bytes + slots_size(e));
    clear_drafts(e);
    add_result(e, &m);
    return explanations_form_set(e, &h, &a);
}

static bool waits_in(struct explanations *e, const struct header *h, struct member *m, unsigned thread)
{
    if (slot_of(m, thread)[0] != SLOT_CALLED ||
        !e->machine->accepts(e->machine, m->bytes + slots_size(e), m->length - slots_size(e)))
        return false;
    act(e, h, m, thread, MACHINE_ANY);
    return e->outcomes.list.len == 0;
}

bool explanations_may_wait(struct explanations *e, uint32_t set, unsigned thread)
{
    struct header h;
    struct member m;
    size_t count;
    get_header(e, set, &h);
    clear_drafts(e);
    members_of(e, set, &count);
    for (size_t i = 0; i < count; i++) {
        get_member(e, members_of(e, set, &count)[i], &m);
        enqueue(e, &m, IS_QUEUED);
    }
    for (size_t i = 0; i < e->queue.len && !e->limit; i++) {
        get_draft(e, e->queue.data[i], &m);
        if (waits_in(e, &h, &m, thread))
            return true;
        enqueue_following(e, &h, &m, REFINE_NO_THREAD, IS_QUEUED);
    }
    return false;
}

bool explanations_include(const struct explanations *e, uint32_t small, uint32_t large)
{
    size_t a_count, b_count;
    if (small == large)
        return true;
    if (e->filters.data[small] & ~e->filters.data[large])
        return false;
    const uint32_t *a = members_of(e, small, &a_count), *b = members_of(e, large, &b_count);
    return a[-1] == b[-1] && sort_includes(b, b_count, a, a_count);
}

unsigned explanations_item_count(const struct explanations *e, uint32_t set)
{
    struct header h;
    get_header(e, set, &h);
    return h.item_count;
}

unsigned explanations_items_below(const struct explanations *e, uint32_t set, unsigned below)
{
    struct header h;
    unsigned count = 0;
    get_header(e, set, &h);
    while (count < h.live_count && h.live[count] <= below)
        count++;
    return count;
}

void explanations_init(struct explanations *e, struct machine *machine, uint32_t threads)
{
    *e = (struct explanations){.machine = machine, .threads = threads};
}

void explanations_free(struct explanations *e)
{
    intern_free(&e->members);
    intern_free(&e->headers);
    intern_free(&e->sets);
    intern_free(&e->actions);
    intern_free(&e->drafts);
    hash_map_free(&e->memo);
    vec_free(&e->filters);
    vec_free(&e->flags);
    vec_free(&e->queue);
    vec_free(&e->made);
    vec_free(&e->outcomes.list);
    vec_free(&e->outcomes.bytes);
}

size_t explanations_footprint(const struct explanations *e)
{
    return intern_footprint(&e->members) + intern_footprint(&e->headers) + intern_footprint(&e->sets) +
           intern_footprint(&e->actions) + e->filters.cap * sizeof *e->filters.data +
           (e->memo.mask + 1) * (sizeof(uint64_t) + sizeof(uint32_t)) + e->machine->footprint(e->machine);
}
