/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/loop/rounds.h"

#include "base/hash.h"
#include "engine/loop/frame_view.h"
#include "engine/real.h"

#include <string.h>

static bool is_same_step(const struct port_action *a, const struct port_action *b)
{
    return a->address == b->address && a->size == b->size && a->operand == b->operand &&
           a->expected == b->expected && a->operation == b->operation && a->order == b->order &&
           a->failure_order == b->failure_order;
}

/* Steps of one call are in straight code, whatever they look like: only another call from there can be a round later. */
static bool is_at_same_place(const struct round_mark *m, const struct spin *s, const struct port_action *step)
{
    return m->entry.pc == s->entry.pc && m->entry.sp == s->entry.sp && m->call != s->calls &&
           is_same_step(&m->step, step);
}

static uint64_t filter_bit(uint64_t pc, uint64_t address)
{
    return UINT64_C(1) << (pc ^ address >> 2) % 64;
}

static const char *stack_of(const struct rounds *r, const struct round_mark *m)
{
    return r->stacks[m - r->marks];
}

static bool is_same_state(const struct rounds *r, const struct round_mark *m, const struct spin *s,
                          struct hash_wide changes, const struct port_action *step)
{
    return is_at_same_place(m, s, step) && m->changes.low == changes.low && m->changes.high == changes.high &&
           memcmp(&m->entry, &s->entry, sizeof s->entry) == 0 &&
           memcmp(stack_of(r, m), (const void *)s->entry.sp, m->length) == 0;
}

/* ------------------------------------------------------------------ folding */

/* Do those parts of the frame hold the same? `depth` is the frame's top above the stack pointer. */
static bool are_same_parts(const char *a, const char *b, uint32_t depth, const uint64_t *parts)
{
    uint32_t apart = depth < FOLD_PARTS * FOLD_PART ? depth : FOLD_PARTS * FOLD_PART;
    if (memcmp(a, b, depth - apart) != 0)
        return false;
    for (uint32_t k = 0; k < apart / FOLD_PART; k++) {
        uint32_t at = depth - FOLD_PART * (k + 1);
        if (parts[k / 64] >> k % 64 & 1 && memcmp(a + at, b + at, FOLD_PART) != 0)
            return false;
    }
    return true;
}

static bool are_same_registers(const struct spin_entry *a, const struct spin_entry *b, uint32_t matter)
{
    const uint32_t count = sizeof a->registers / sizeof *a->registers;
    for (uint32_t k = 0; k < count; k++)
        if ((k + 1 == count || matter >> k & 1) && a->registers[k] != b->registers[k])
            return false;
    return true;
}

static bool is_same_caller(const struct frame_view *a, const struct frame_view *b, uint64_t top,
                           const struct fold_frame *f)
{
    for (uint32_t k = 0; k < FOLD_REGISTERS; k++)
        if (f->registers >> k & 1 && a->registers[k] != b->registers[k])
            return false;
    return are_same_parts(a->stack + top, b->stack + top, f->depth, f->parts);
}

/* Does all that matters to callers of the function with the frames f and g hold the same? Where nothing is known about one,
 * all matters. `*known`: the top of the last frame of which something is, above the stack pointer. */
static bool have_same_callers(struct frame_view a, struct frame_view b, const struct fold_frame *f,
                              const struct fold_frame *g, uint64_t length, uint64_t *known)
{
    uint64_t top = *known = f->depth;
    if (f->depth + sizeof(uint64_t) > length || !frame_go_to_caller(&a, f, top) ||
        !frame_go_to_caller(&b, g, top))
        return false;
    const struct fold_call *c;
    while (memcmp(a.stack + top, b.stack + top, sizeof(uint64_t)) == 0 &&
           (c = frame_caller_at(&a, f, top, length))) {
        top += sizeof(uint64_t);
        if (!is_same_caller(&a, &b, top, &c->frame))
            return false;
        f = g = &c->frame;
        top += f->depth;
        if (!frame_go_to_caller(&a, f, top) || !frame_go_to_caller(&b, g, top))
            return false;
        *known = top;
    }
    return memcmp(a.registers, b.registers, sizeof a.registers) == 0 &&
           memcmp(a.stack + top, b.stack + top, length - top) == 0;
}

/* Only its own frame, of which others cannot know, may have been written since; and nothing by atomic writes, which are
 * part of the execution even where they change nothing. */
static bool is_fold(const struct rounds *r, const struct round_mark *m, const struct spin *s,
                    const struct fold_watch *w, const struct port_action *step, uint64_t *end)
{
    const struct spin_entry *now = &s->entry;
    if (!is_at_same_place(m, s, step) || m->updates != w->updates || m->writes != w->writes ||
        w->reads - m->reads > FOLD_READS)
        return false;
    const struct fold_frame *f = m->place ? &m->place->frame : NULL;
    const char *stack = (const char *)now->sp, *before = stack_of(r, m);
    uint64_t known = 0;
    bool same = f && f->depth <= m->length && are_same_registers(&m->entry, now, f->registers) &&
                are_same_parts(stack, before, f->depth, f->parts) &&
                have_same_callers(frame_view_of(now, stack), frame_view_of(&m->entry, before), f, f,
                                  m->length, &known);
    *end = now->sp + known;
    return same && m->highest_end <= *end;
}

/* Does a read with order a learn no more than with order b? */
static bool is_weaker(unsigned a, unsigned b)
{
    if (a == ORDER_RELAXED || a == b)
        return true;
    return (a == ORDER_ACQUIRE || a == ORDER_CONSUME) &&
           (b == ORDER_ACQUIRE || b == ORDER_ACQ_REL || b == ORDER_SEQ_CST);
}

/* Could the load have found what the last read did, with the same consequences? */
static bool could_find(const struct port_action *load, const struct port_action *last)
{
    bool fails = last->operation == OPERATION_CAS; /* it wrote nothing */
    return load->operation == OPERATION_LOAD && (fails || last->operation == OPERATION_LOAD) &&
           load->address == last->address && load->size == last->size &&
           is_weaker(load->order, fails ? last->failure_order : last->order);
}

static bool lead_to_same_place(const struct fold_exit *p, const struct fold_exit *q)
{
    return p->merge && p->merge == q->merge && p->found_registers == q->found_registers &&
           (p->same_registers | p->fixed_registers) == (q->same_registers | q->fixed_registers) &&
           memcmp(p->found_parts, q->found_parts, sizeof p->found_parts) == 0 &&
           memcmp(p->same_parts, q->same_parts, sizeof p->same_parts) == 0;
}

static bool overlap(const struct fold_access *a, const struct fold_access *b)
{
    return a->address < b->address + b->size && b->address < a->address + a->size;
}

static bool covers(const struct fold_access *a, const struct fold_access *b)
{
    return a->address <= b->address && b->address + b->size <= a->address + a->size;
}

/* Has what was written there been written again since the mark, and not been read before that? */
static bool is_overwritten(const struct fold_access *a, const struct round_mark *since,
                           const struct fold_watch *f)
{
    uint32_t again = since->writes;
    while (again != f->writes && !covers(&f->written[again % FOLD_WRITES].access, a))
        again++;
    if (again == f->writes)
        return false;
    for (uint32_t k = since->reads; k != f->written[again % FOLD_WRITES].reads; k++)
        if (overlap(&f->log[k % FOLD_READS], a))
            return false;
    return true;
}

/* Is everything that the thread wrote between the marks, others' stacks included, as if it had not? */
static bool wrote_in_vain(const struct round_mark *from, const struct round_mark *to,
                          const struct fold_watch *f)
{
    if (f->writes - from->writes > FOLD_WRITES)
        return false;
    for (uint32_t k = from->writes; k != to->writes; k++)
        if (!is_overwritten(&f->written[k % FOLD_WRITES].access, to, f))
            return false;
    return true;
}

/* Where code sets registers to addresses in the program after the load only, those were there already at the last read. */
static bool has_fixed_registers(const struct fold_exit *p, const struct fold_exit *q,
                                const struct round_mark *last)
{
    for (uint32_t k = 0; k < FOLD_REGISTERS; k++) {
        uint64_t value =
            q->fixed_registers >> k & 1 ? q->fixed_values[k] + fold_base() : last->entry.registers[k];
        if (p->fixed_registers >> k & 1 && value != p->fixed_values[k] + fold_base())
            return false;
    }
    return (q->fixed_registers & ~p->fixed_registers) == 0;
}

/* What the last read found is all that the round brought: as if the load had found it at once. */
static bool is_carried(const struct rounds *r, const struct round_mark *load, const struct round_mark *last,
                       const struct fold_watch *f, uint64_t *end)
{
    if (!load->place || !last->place || load->call == last->call ||
        load->place->frame.depth != last->place->frame.depth || !could_find(&load->step, &last->step) ||
        last->arrival + 1 != f->arrivals)
        return false;
    const struct fold_frame *f0 = &load->place->frame, *fk = &last->place->frame;
    uint64_t known = 0;
    const struct fold_exit *p = &load->place->exits[f->found_something],
                           *q = &last->place->exits[f->found_something];
    const char *s0 = stack_of(r, load), *sk = stack_of(r, last);
    bool same =
        lead_to_same_place(p, q) && load->entry.sp == last->entry.sp && load->length == last->length &&
        load->updates == f->updates && f->reads - load->reads <= FOLD_READS && f0->depth <= load->length &&
        wrote_in_vain(load, last, f) && are_same_registers(&load->entry, &last->entry, p->same_registers) &&
        has_fixed_registers(p, q, last) && are_same_parts(s0, sk, f0->depth, p->same_parts) &&
        have_same_callers(frame_view_of(&load->entry, s0), frame_view_of(&last->entry, sk), f0, fk,
                          load->length, &known);
    *end = load->entry.sp + known;
    return same && load->highest_end <= *end;
}

static const struct round_mark *mark_before(const struct rounds *r, uint32_t back)
{
    return &r->marks[(r->next - back) % ROUNDS_KEPT];
}

static uint32_t count_foldable(const struct rounds *r)
{
    return r->kept < ROUNDS_FOLDED ? r->kept : ROUNDS_FOLDED;
}

static void note_own_writes(struct rounds *r, struct fold_watch *f)
{
    for (uint32_t k = 0; f->highest_end && k < count_foldable(r); k++) {
        struct round_mark *m = &r->marks[(r->next - 1 - k) % ROUNDS_KEPT];
        if (f->highest_end > m->highest_end)
            m->highest_end = f->highest_end;
    }
    f->highest_end = 0;
}

/* ------------------------------------------------------------------ all */

static void keep(struct rounds *r, const struct spin *s, const struct fold_watch *f,
                 const struct port_action *step, uint64_t length)
{
    const struct spin_entry *now = &s->entry;
    struct round_mark *m = &r->marks[r->next];
    m->looked = r->looked;
    m->changed = r->changed;
    m->step = *step;
    m->entry = *now;
    m->length = (uint32_t)length;
    m->updates = f->updates;
    m->reads = f->reads;
    m->writes = f->writes;
    m->highest_end = 0;
    m->arrival = f->arrivals;
    m->call = s->calls;
    m->entries = f->entries;
    m->place = fold_find(now->pc);
    real.memcpy(r->stacks[r->next], (const void *)now->sp, length);
    r->filter |= filter_bit(now->pc, step->address);
    r->next = (r->next + 1) % ROUNDS_KEPT;
    if (r->kept < ROUNDS_KEPT)
        r->kept++;
}

uint64_t rounds_state(struct rounds *r, const struct spin *s, const struct port_action *step, uint64_t pc)
{
    uint64_t length = s->stack_base - s->entry.sp;
    if (s->entry.pc != pc || length > ROUNDS_STACK_MOST)
        return 0;
#if defined(__x86_64__)
    if (s->entry.unsure)
        return 0;
#endif
    uint64_t h = spin_hash(s, step);
    if (!operation_reads(step->operation))
        return h | 1;
    if (r->kept == 0)
        return 0;
    r->marks[(r->next - 1) % ROUNDS_KEPT].state = h;
    for (uint32_t back = 2; back <= r->kept; back++) /* whether it comes back somewhere depends on these */
        h = hash_combine(h, r->marks[(r->next - back) % ROUNDS_KEPT].state);
    return h | 1;
}

/* The shortest round, if any. */
static uint32_t find_fold(struct rounds *r, const struct spin *s, const struct fold_watch *f,
                          const struct port_action *step)
{
    uint32_t kept = count_foldable(r);
    for (uint32_t back = 1; back <= kept && back < ROUNDS_FOLDED; back++) { /* one for the arrival itself */
        const struct round_mark *m = mark_before(r, back);
        r->same = is_fold(r, m, s, f, step, &r->frames_end);
        if (r->same || (back > 1 && is_carried(r, m, mark_before(r, 1), f, &r->frames_end)))
            return back;
    }
    return 0;
}

/* Did the thread come back from its last read, a load, with less patience? It has entered no function since, and all that a
 * round may write, in its frame alone, is known from its code: no callers are compared, and no other writes. */
static bool is_patient(const struct rounds *r, const struct spin *s, const struct fold_watch *w,
                       const struct port_action *step)
{
    const struct spin_entry *now = &s->entry;
    const struct round_mark *m = r->kept ? mark_before(r, 1) : NULL;
    if (!m || !m->place || !m->place->is_patient || step->operation != OPERATION_LOAD ||
        m->arrival + 1 != w->arrivals || m->entries != w->entries || !is_at_same_place(m, s, step) ||
        m->updates != w->updates)
        return false;
    const struct fold_frame *f = &m->place->but_counters;
    return f->depth <= m->length && are_same_registers(&m->entry, now, f->registers) &&
           are_same_parts((const char *)now->sp, stack_of(r, m), f->depth, f->parts);
}

static uint32_t find_same_state(const struct rounds *r, const struct spin *s, struct hash_wide changes,
                                const struct port_action *step)
{
    if (!(r->filter & filter_bit(s->entry.pc, step->address)))
        return 0;
    for (uint32_t back = 1; back <= r->kept && back < ROUNDS_KEPT; back++)
        if (is_same_state(r, mark_before(r, back), s, changes, step))
            return back;
    return 0;
}

void rounds_forget(struct rounds *r, struct undo *u)
{
    r->kept = r->next = 0; /* the same few marks again: they are in the cache */
    r->filter = 0;
    undo_forget(u);
}

/* What it did plainly since its last arrival. */
static void note_accesses(struct rounds *r, struct fold_watch *f)
{
    r->looked += f->looked;
    r->changed += f->changed;
    f->looked = f->changed = false;
}

/* One round is left for races with it to be found: those with an access by a thread that knows of a later step of this one,
 * and is not ordered after it. Where folding keeps what is read, it finds out whether there can be any. */
static bool has_to_be_taken_twice(const struct rounds *r, uint32_t round, const struct fold_watch *f,
                                  enum rounds_twice twice)
{
    const struct round_mark *m = mark_before(r, round);
    if (m->again || twice == ROUNDS_ONCE)
        return false;
    bool looked = r->looked != m->looked, changed = r->changed != m->changed;
    if (!fold_is_on)
        return looked || changed || (twice == ROUNDS_LONG && round > 1);
    return changed || f->reads - m->reads > FOLD_READS;
}

bool rounds_may_race(const struct rounds *r, uint32_t round)
{
    return round > 1 || r->looked != mark_before(r, round + 1)->looked;
}

uint32_t rounds_arrive(struct rounds *r, struct rounds_thread t, const struct port_action *step, uint64_t pc,
                       enum rounds_twice twice, bool *folds)
{
    struct spin *s = t.spin;
    struct fold_watch *f = t.fold;
    *folds = false;
    f->arrivals++;
    if (s->since_effect == 0 || s->had_effect)
        rounds_forget(r, t.undo);
    s->had_effect = false;
    s->reads = 1; /* until the next effect */
    uint64_t length = s->stack_base - s->entry.sp;
    if (s->entry.pc != pc || length > ROUNDS_STACK_MOST) {
        rounds_forget(r, t.undo); /* not called by the program's own code, or too deep to look at */
        return 0;
    }
    note_own_writes(r, f);
    note_accesses(r, f);
    struct hash_wide changes = undo_changes(t.undo);
    uint32_t same = find_same_state(r, s, changes, step);
    uint32_t round = same && has_to_be_taken_twice(r, same, f, twice) ? 0 : same;
    r->frames_end = 0;
    *folds = !round && fold_looks && fold_is_on == fold_is_patient && (round = find_fold(r, s, f, step));
    r->patient = !same && !round && fold_looks && is_patient(r, s, f, step);
    struct round_mark *m = &r->marks[r->next];
    m->changes = changes;
    m->again = same != 0;
    keep(r, s, f, step, length); /* what is dead may be equal by chance, and then the thread may yet go on */
    return round;
}

/* Functions that were called in the round, and have returned, had theirs below the stack pointer. */
static bool is_own(const struct rounds *r, const struct round_mark *m, const struct fold_access *a)
{
    return a->address >= m->entry.sp - ROUNDS_STACK_MOST && a->address + a->size <= r->frames_end;
}

/* The newest mark is the arrival that ended the round. */
bool rounds_read_atomically(const struct rounds *r, const struct fold_watch *f, uint32_t round)
{
    const struct round_mark *m = mark_before(r, round + 1);
    for (uint32_t k = m->reads; k != f->reads; k++)
        if (!is_own(r, m, &f->log[k % FOLD_READS]))
            return false;
    return true;
}

void rounds_note_reads(const struct rounds *r, const struct fold_watch *f, uint32_t round,
                       struct fold_position at, const uint8_t *known, bool only_atomic)
{
    const struct round_mark *m = mark_before(r, round + 1);
    for (uint32_t k = m->reads; k != f->reads; k++) {
        const struct fold_access *a = &f->log[k % FOLD_READS];
        if (!is_own(r, m, a))
            fold_add_read(at, known, a->address, a->size, false);
    }
    for (uint32_t k = 2; k <= round + 1; k++) {
        const struct port_action *step = &mark_before(r, k)->step;
        if (!(step->flags & PORT_OBJECT))
            fold_add_read(at, known, step->address, step->size, true);
        if (only_atomic && !(step->flags & PORT_OBJECT))
            fold_add_unseen(at.thread, step->address, step->size);
    }
}
