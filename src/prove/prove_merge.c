/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of several accesses: those that no other thread disturbs wait for the access behind them, and make one step with it. Which are such is guessed, and
 * looked at in every state. */
#include "prove/prove.h"

#include "refine/intern.h"

#include <string.h>

enum {
    WAITING_MOST = 64, /* accesses in a step: a thread may go round and round */
    NO_LIST = 0,       /* else 1 + number */
};

/* Where the program accesses something. If threads keep their names, also who, and which variable: element I of an array may be only thread I's. */
struct site {
    uint64_t pc, thread, variable;
};
static struct intern sites;
static VEC(uint8_t) is_disturbed; /* of each: it ends steps */
static VEC(uint8_t) is_newly_disturbed;
static bool has_new;

struct access {
    uint64_t address;
    uint32_t size, site;
    uint8_t thread, writes, waits;
    uint8_t is_first; /* of its step */
    uint8_t unused[4];
};
static VEC(struct access) noted; /* of the step that was run last */
static VEC(struct access) known; /* of steps of the state that is expanded */
/* What is known of each image, for those of its calls that are expanded later. */
static struct intern lists;
static VEC(uint32_t) list_of;

/* A step is accesses that wait, then one that need not, then frees. */
static enum { OFF, BEFORE, BEHIND } phase;
static unsigned waiting;

/* --- sites ---------------------------------------------------------------------------------------------------------- */

static uint32_t site_of(unsigned thread, uint64_t address)
{
    const struct prove_program *p = &prove.program;
    bool is_variable = address - (uint64_t)p->globals < p->globals_size;
    struct site s = {.pc = prove.state.threads[thread].registers.pc};
    if (p->knows_threads) {
        s.thread = thread;
        s.variable = is_variable ? address : 0;
    }
    bool is_new;
    uint32_t site = intern_add(&sites, &s, sizeof s, &is_new);
    if (is_new) {
        vec_push(&is_disturbed, 0);
        vec_push(&is_newly_disturbed, 0);
    }
    return site;
}

static void disturb(const struct access *a)
{
    if (a->waits)
        is_newly_disturbed.data[a->site] = has_new = true;
}

bool prove_merge_has_new(void)
{
    return has_new;
}

void prove_merge_take(void)
{
    for (size_t i = 0; i < is_disturbed.len; i++)
        is_disturbed.data[i] |= is_newly_disturbed.data[i];
    has_new = false;
}

void prove_merge_clear(void)
{
    intern_clear(&lists);
    list_of.len = noted.len = known.len = 0;
}

/* --- a step ----------------------------------------------------------------------------------------------------------- */

static bool is_access(unsigned kind)
{
    return kind == PROVE_READ || kind == PROVE_WRITE || (kind >= PROVE_LOAD && kind <= PROVE_CAS_VALUE);
}

/* What a compare and swap expects is in memory that others can look at: it is several steps. */
static bool is_in_parts(unsigned thread)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    return prove_kind(r->hook) == PROVE_CAS &&
           prove_find(thread, r->arguments[1], prove_size(r->hook), true) != PROVE_OWN;
}

static void note(unsigned thread, uint64_t address, uint64_t size, bool writes, bool waits)
{
    struct access a = {.address = address,
                       .size = (uint32_t)size,
                       .site = site_of(thread, address),
                       .thread = (uint8_t)thread,
                       .writes = writes,
                       .waits = waits};
    if (size)
        vec_push(&noted, a);
}

/* What it is about to touch. */
static void note_all(unsigned thread, bool waits)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    const uint64_t *a = r->arguments;
    unsigned kind = prove_kind(r->hook);
    struct prove_reach reach = prove_reach_of(r);
    note(thread, reach.address, reach.size, reach.write, waits);
    if (is_in_parts(thread))
        note(thread, a[1], prove_size(r->hook), true, waits);
    if (kind == PROVE_COPY || kind == PROVE_FILL)
        note(thread, a[0], a[2], true, waits);
    if (kind == PROVE_COPY)
        note(thread, a[1], a[2], false, waits);
    const struct prove_block *b = kind == PROVE_FREE && a[0] ? prove_block_at(a[0]) : NULL;
    if (b)
        note(thread, b->address, b->size, true, waits);
}

/* An access that no other thread is known to disturb. */
static bool may_wait(unsigned thread)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    if (!is_access(prove_kind(r->hook)) || is_in_parts(thread))
        return false;
    uint32_t site = site_of(thread, r->arguments[0]);
    return !is_disturbed.data[site];
}

/* Others need not see it at once: malloc may come later, when more blocks were freed. */
static bool begins_early(unsigned thread)
{
    unsigned kind = prove_kind(prove.state.threads[thread].registers.hook);
    return (kind >= PROVE_MALLOC && kind <= PROVE_ALIGNED) || may_wait(thread);
}

void prove_merge_begin(unsigned thread)
{
    noted.len = 0;
    phase = OFF;
    if (!prove.merges)
        return;
    waiting = 0;
    phase = begins_early(thread) ? BEFORE : BEHIND;
    note_all(thread, phase == BEFORE);
}

void prove_merge_end(void)
{
    phase = OFF;
}

void prove_merge_forget(void)
{
    noted.len = 0;
}

/* Nothing else is behind the accesses of a step that wait: it happens, and has one outcome. */
static bool may_end_step(unsigned thread)
{
    unsigned kind = prove_kind(prove.state.threads[thread].registers.hook);
    return (is_access(kind) && !is_in_parts(thread)) || kind == PROVE_UNLOCK || kind == PROVE_FREE ||
           (kind == PROVE_LOCK && !prove_is_blocked(thread));
}

bool prove_merge_goes_on(unsigned thread)
{
    unsigned kind = prove_kind(prove.state.threads[thread].registers.hook);
    bool waits = phase == BEFORE && may_wait(thread) && ++waiting < WAITING_MOST;
    bool goes_on =
        waits || (phase == BEFORE && may_end_step(thread)) || (phase == BEHIND && kind == PROVE_FREE);
    if (!goes_on)
        return false;
    phase = waits ? BEFORE : BEHIND;
    note_all(thread, waits);
    return true;
}

/* --- steps of a state --------------------------------------------------------------------------------------------------- */

static bool conflict(const struct access *a, const struct access *b)
{
    return a->thread != b->thread && (a->writes || b->writes) && a->address < b->address + b->size &&
           b->address < a->address + a->size;
}

void prove_merge_open(uint32_t image)
{
    size_t length;
    known.len = 0;
    if (!prove.merges || image >= list_of.len || list_of.data[image] == NO_LIST)
        return;
    const uint8_t *bytes = intern_get(&lists, list_of.data[image] - 1, &length);
    vec_reserve(&known, length / sizeof *known.data);
    memcpy(known.data, bytes, length);
    known.len = length / sizeof *known.data;
}

/* Two steps that could both be next. What is behind a conflict would not happen as it does here: of conflicts only those count before which, in both steps,
 * there is none. */
static void compare(const struct access *a, size_t a_count, const struct access *b, size_t b_count)
{
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++)
            if (conflict(&a[i], &b[k])) {
                disturb(&a[i]);
                disturb(&b[k]);
                b_count = k;
            }
}

static size_t step_length(size_t from)
{
    size_t length = 1;
    while (from + length < known.len && !known.data[from + length].is_first)
        length++;
    return length;
}

void prove_merge_add(void)
{
    bool is_new = noted.len != 0;
    if (is_new)
        noted.data[0].is_first = 1;
    for (size_t from = 0, length; is_new && from < known.len; from += length) {
        length = step_length(from);
        is_new =
            length != noted.len || memcmp(known.data + from, noted.data, length * sizeof *noted.data) != 0;
    }
    for (size_t from = 0, length; is_new && from < known.len; from += length) {
        length = step_length(from);
        compare(noted.data, noted.len, known.data + from, length);
    }
    for (size_t i = 0; i < noted.len && is_new; i++)
        vec_push(&known, noted.data[i]);
}

void prove_merge_close(uint32_t image, bool has_calls)
{
    if (!prove.merges || !known.len || !has_calls)
        return;
    while (list_of.len <= image)
        vec_push(&list_of, NO_LIST);
    list_of.data[image] = 1 + intern_add(&lists, known.data, known.len * sizeof *known.data, NULL);
}
