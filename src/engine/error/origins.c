/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/error/origins.h"

#include "engine/engine_state.h"
#include "engine/memory/snapshot.h"

#include <string.h>
#include <unwind.h>

enum { FRAMES = 48 };

/* The frames of a thread as its last event found them, innermost first. */
struct frames {
    uint64_t bottom; /* the stack pointer of the innermost one */
    uint32_t count;
    struct frame {
        uint64_t pc, top; /* top: where it ends; of the last one 0, it is not known */
        uint64_t saved[PROTOCOL_SAVED];
    } list[FRAMES];
};

static struct frames frames_of[THREADS_MAX];

static void keep_registers(struct _Unwind_Context *context, struct frame *f)
{
#if defined(__x86_64__)
    static const int numbers[PROTOCOL_SAVED] = {3, 12, 13, 14, 15}; /* of the debug information */
    for (uint32_t k = 0; k < PROTOCOL_SAVED; k++)
        f->saved[k] = _Unwind_GetGR(context, numbers[k]);
#else
    (void)context;
    (void)f;
#endif
}

/* The unwinder knows of a frame where that of the function which it called ends. */
static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *frames)
{
    struct frames *f = frames;
    uint64_t sp = _Unwind_GetCFA(context);
    if (f->count)
        f->list[f->count - 1].top = sp;
    if (f->count == FRAMES)
        return _URC_END_OF_STACK;
    f->list[f->count] = (struct frame){.pc = _Unwind_GetIP(context)};
    keep_registers(context, &f->list[f->count++]);
    return _URC_NO_REASON;
}

/* An instruction that was interrupted is at the place itself, a call before it. */
static bool is_at(const struct frame *f, uint64_t pc)
{
    return f->pc == pc || f->pc + 1 == pc;
}

/* Without the frames of the runtime, which is called at `pc`. */
static void capture(struct frames *f, uint64_t pc)
{
    uint32_t own = 0;
    f->count = 0;
    _Unwind_Backtrace(visit, f);
    while (own < f->count && !is_at(&f->list[own], pc))
        own++;
    if (own == f->count) /* it is not known where */
        for (own = 0; own < f->count && !snapshot_is_program((const void *)f->list[own].pc);)
            own++;
    f->bottom = own ? f->list[own - 1].top : 0;
    f->count -= own;
    memmove(f->list, f->list + own, f->count * sizeof *f->list);
}

/* Of the program, from frame `first` on. */
static void note_callers(uint64_t callers[PROTOCOL_CALLERS], const struct frames *f, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t k = first; k < f->count && count < PROTOCOL_CALLERS; k++)
        if (snapshot_is_program((const void *)f->list[k].pc))
            callers[count++] = f->list[k].pc;
}

/* Of the thread whose stack it is: where that thread was when its last event happened. */
static void note_frame(struct worker_origin *o, const struct frames *f, uint64_t address)
{
    uint32_t k = 0;
    while (k < f->count && f->list[k].top && f->list[k].top <= address)
        k++;
    if (k == f->count || address < f->bottom || !f->list[k].top)
        return;
    o->owner_pc = f->list[k].pc;
    o->owner_top = f->list[k].top;
}

static void note_owner(struct worker_origin *o, uint64_t address)
{
    for (uint32_t k = 0; k < engine.count; k++) {
        const struct fiber *f = &engine.threads[k].fiber;
        if (!engine.threads[k].has_fiber || !fiber_owns(f, address))
            continue;
        o->owner = k;
        if (fiber_has_on_stack(f, address))
            note_frame(o, &frames_of[k], address);
        else
            o->owner_top = f->tls;
    }
}

/* Memory holds it when an access is noted. */
static uint64_t second_word(const struct event *e)
{
    bool access = e->kind == EVENT_READ || e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE ||
                  e->kind == EVENT_CAS_FAILED;
    uint64_t word = 0;
    if (access && e->size == 2 * sizeof word)
        memcpy(&word, (const char *)e->address + sizeof word, sizeof word);
    return word;
}

void origins_note(struct worker_shared *s)
{
    uint32_t last = PROTOCOL_EVENTS - PROTOCOL_EVENTS_FIRST;
    uint32_t k = s->events_lost ? PROTOCOL_EVENTS_FIRST + (s->events_lost - 1) % last : s->event_count - 1;
    struct worker_origin *o = &s->origins[k];
    struct frames *f = &frames_of[engine.current];
    bool active = engine_active;
    engine_active = false; /* the unwinder calls functions that are hooks */
    *o = (struct worker_origin){.high = second_word(&s->events[k])};
    capture(f, s->events[k].pc);
    note_callers(o->callers, f, f->count && is_at(f->list, s->events[k].pc) ? 1 : 0);
    if (fiber_is_near_stacks(s->events[k].address))
        note_owner(o, s->events[k].address);
    engine_active = active;
}

/* ------------------------------------------------------------------ arrays of variable length */

static bool is_noted(const struct worker_shared *s, uint64_t address, size_t size, uint64_t pc)
{
    for (uint32_t k = 0; k < s->array_count; k++)
        if (s->arrays[k].address == address && s->arrays[k].size == size && s->arrays[k].pc == pc)
            return true;
    return false;
}

static void note_array(struct worker_shared *s, const struct frame *f, uint64_t address, size_t size)
{
    const struct fiber *fiber = &engine.running->fiber;
    struct worker_array *a = &s->arrays[s->array_count];
    uint64_t end = f->top - 2 * sizeof(uint64_t), begin = end - sizeof a->words;
    if (!f->top || !fiber_has_on_stack(fiber, begin) || !fiber_has_on_stack(fiber, end))
        return;
    *a = (struct worker_array){address, size, f->pc, f->top, .event = s->event_count};
    memcpy(a->saved, f->saved, sizeof a->saved);
    memcpy(a->words, (const void *)begin, sizeof a->words);
    s->array_count++;
}

void origins_note_array(struct worker_shared *s, uint64_t address, size_t size, uint64_t pc)
{
    static struct frames f;
    if (s->array_count == PROTOCOL_ARRAYS || is_noted(s, address, size, pc))
        return;
    bool active = engine_active;
    engine_active = false;
    capture(&f, pc);
    if (f.count && is_at(f.list, pc))
        note_array(s, f.list, address, size);
    engine_active = active;
}

/* ------------------------------------------------------------------ before main */

static struct worker_early_block early[PROTOCOL_EARLY];
static uint32_t early_count;

void origins_note_early(uint64_t address, size_t size, uint64_t pc)
{
    static struct frames f;
    if (early_count == PROTOCOL_EARLY)
        return;
    struct worker_early_block *b = &early[early_count++];
    *b = (struct worker_early_block){address, size, {0}};
    capture(&f, pc);
    note_callers(b->callers, &f, 0);
}

void origins_copy_early(struct worker_shared *s)
{
    s->early_count = early_count;
    memcpy(s->early, early, early_count * sizeof *early);
}
