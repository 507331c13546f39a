/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of annotated functions: begin, end, and what is kept of them. */
#include "rt/calls/call_parts.h"

#include "engine/engine_state.h"
#include "engine/real.h"
#include "engine/shared/worker_result.h"
#include "rt/hook.h"
#include "rt/start.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct calls calls;
struct calls_code calls_code;

/* Of each thread, the calls that it is in, outermost first. Deeper nesting is not judged. */
enum { OPEN_MOST = 16 };
static struct {
    uint32_t count, list[OPEN_MOST];
} open_calls[CLOCKS_THREADS_MAX];

static uint32_t marks;   /* so far, of all threads */
static uint64_t effects; /* of the running thread, as they were when the runtime became quiet */

BEFORE_EACH_EXECUTION(calls_reset)
{
    calls_code.depth = 0;
    if (!marks)
        return;
    marks = 0;
    calls.count = calls.pointee_count = 0;
    calls.lost = false;
    for (uint32_t t = 0; t < CLOCKS_THREADS_MAX; t++)
        open_calls[t].count = 0;
    points_forget();
    objects_forget();
    quiet_reset();
}

/* ------------------------------------------------------------------ quiet code */

void calls_enter_code(const struct plumb_place *place, const char *what, const char *name)
{
    calls_code.depth++;
    calls_code.number++;
    calls_code.place = place;
    calls_code.what = what;
    calls_code.name = name;
}

void calls_leave_code(void)
{
    calls_code.depth--;
}

/* What the code of a specification calls is no effect of its thread. */
void calls_become_quiet(const struct plumb_place *place, const char *what, const char *name)
{
    engine_active = false;
    effects = engine.running->spin.since_effect;
    calls_enter_code(place, what, name);
}

void calls_become_active(void)
{
    calls_leave_code();
    engine.running->spin.since_effect = effects;
    engine_active = true;
}

static _Noreturn void refuse(enum worker_refusal by, const struct plumb_place *place, const char *format,
                             va_list args)
{
    struct worker_shared *s = engine.shared;
    engine_active = false;
    calls_code.depth = 0;
    vsnprintf(s->error.message, sizeof s->error.message, format, args);
    s->refused_by = by;
    if (place && place->file) {
        snprintf(s->refused_file, sizeof s->refused_file, "%s", place->file);
        s->refused_line = place->line;
        s->refused_column = place->column;
    }
    worker_result_end(s, WORKER_REFUSED);
}

_Noreturn void calls_refuse(const struct plumb_place *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse(REFUSED_ANNOTATION, place, format, args);
}

static _Noreturn void refuse_code(const struct plumb_place *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse(REFUSED_CODE, place, format, args);
}

_Noreturn void calls_refuse_code(const char *what)
{
    const struct calls_code c = calls_code;
    const char *code = c.what ? c.what : "an expression of an annotation";
    refuse_code(c.place, "the specification's own code %s: %s%s%s", what, code, c.name ? " of " : "",
                c.name ? c.name : "");
}

/* ------------------------------------------------------------------ which call */

void calls_lose(void)
{
    calls.lost = true;
    engine_limit(LIMIT_CALLS);
}

struct call *calls_find_open(uint32_t from_inside)
{
    uint32_t count = open_calls[engine.current].count;
    return from_inside < count ? &calls.list[open_calls[engine.current].list[count - 1 - from_inside]] : NULL;
}

/* The innermost call of the thread has been left without its end. */
static void drop_open(void)
{
    uint32_t *count = &open_calls[engine.current].count;
    struct call *c = &calls.list[open_calls[engine.current].list[--*count]];
    c->is_open = false;
    c->over_mark = ++marks;
}

/* Functions whose frames are gone were left by longjmp. */
void calls_drop_below(uint64_t frame)
{
    for (struct call *c; (c = calls_find_open(0)) && c->frame < frame;)
        drop_open();
}

static struct call *find_call(const void *record)
{
    for (uint32_t k = 0; k < open_calls[engine.current].count; k++) {
        struct call *c = &calls.list[open_calls[engine.current].list[k]];
        if (c->record == record)
            return c;
    }
    return NULL;
}

/* ------------------------------------------------------------------ begin */

static bool has_room(void)
{
    bool room = calls.count < CALLS_MOST && open_calls[engine.current].count < OPEN_MOST && !calls.lost;
    if (!room)
        calls_lose();
    return room;
}

static void push_call(struct call call)
{
    uint32_t thread = engine.current, number = calls.count++;
    calls.list[number] = call;
    open_calls[thread].list[open_calls[thread].count++] = number;
}

EXPORT void *plumb_call_begin(const struct plumb_interface *interface, const void *object)
{
    uint64_t frame = (uint64_t)__builtin_frame_address(0);
    if (!engine_active)
        return NULL;
    marks++;
    calls_drop_below(frame);
    struct call *outer = calls_find_open(0);
    if (outer && outer->frame == frame && outer->pc == (uint64_t)CALLER) { /* the same frame again */
        drop_open();
        outer = calls_find_open(0);
    }
    engine_note_mark();
    if (engine.shared->config.fold == WORKER_FOLDS)
        engine_limit(LIMIT_FOLDING); /* not known to keep what rules of synchronization ask for */
    char *end = outer ? outer->record + outer->interface->size : NULL;
    char *record = has_room() ? quiet_record(engine.current, end, interface->size) : NULL;
    if (!record) {
        calls_lose();
        return NULL;
    }
    push_call((struct call){
        .interface = interface,
        .object = objects_number(object),
        .thread = engine.current,
        .depth = outer ? outer->depth + 1 : 0,
        .is_open = true,
        .pc = (uint64_t)CALLER,
        .frame = frame,
        .record = record,
        .begin_mark = marks,
        .begin = engine_position(),
        .clock = engine_graph_mode ? 0 : engine_now(),
        .begin_event = engine.shared->event_count + 1,
    });
    calls_become_quiet(&interface->place, "@Interface", interface->name);
    return record;
}

/* Where the specification looks: before the body, or behind it. */
EXPORT void plumb_call_pointee(void *record, const void *at, size_t size)
{
    struct call *c = record ? find_call(record) : NULL;
    size = size ? size : quiet_extent(at);
    if (!c || !size)
        return;
    if (calls.pointee_count == CALLS_POINTEES) {
        calls_lose();
        return;
    }
    char *bytes = quiet_allocate(size, 1);
    if (bytes && quiet_copy_from(bytes, at, size))
        calls.pointees[calls.pointee_count++] = (struct call_pointee){
            (uint32_t)(c - calls.list), c->end_mark != 0, (void *)(uintptr_t)at, size, bytes};
    else if (bytes)
        quiet_free(bytes);
}

static void keep_record(struct call *c)
{
    if (!c->kept)
        c->kept = quiet_allocate(c->interface->size ? c->interface->size : 1, 64);
    if (!c->kept)
        calls_refuse(&c->interface->place, "its values need more memory than there is");
    real.memcpy(c->kept, c->record, c->interface->size);
}

EXPORT void plumb_call_run(void *record)
{
    struct call *c = find_call(record);
    if (c)
        keep_record(c);
    if (calls_are_quiet())
        calls_become_active();
}

/* ------------------------------------------------------------------ end */

/* Only a schedule's clocks are gone when the execution is over. */
static void learn_known(struct call *c)
{
    for (uint32_t k = 0; k < calls.count && !engine_graph_mode; k++) {
        const struct call *a = &calls.list[k];
        if (a->thread == c->thread || engine_knows(a->thread, a->clock))
            c->known |= UINT64_C(1) << k;
    }
}

EXPORT void plumb_call_finish(void *record)
{
    struct call *c = find_call(record);
    if (!c || !engine_active)
        return;
    while (calls_find_open(0) != c)
        drop_open();
    engine_note_mark();
    c->end_mark = ++marks;
    c->end = engine_position();
    c->end_event = engine.shared->event_count;
    learn_known(c);
    calls_become_quiet(&c->interface->place, "@Interface", c->interface->name);
}

EXPORT void plumb_call_end(void *record, uint64_t id, uint64_t conditions)
{
    struct call *c = find_call(record);
    if (c) {
        keep_record(c);
        c->id = id;
        c->conditions = conditions;
        c->completed = true;
        drop_open();
    }
    if (calls_are_quiet())
        calls_become_active();
}

EXPORT void plumb_call_leave(void *record)
{
    struct call *c = find_call(record);
    if (!c || !engine_active)
        return;
    while (c->is_open)
        drop_open();
    marks++;
    engine_note_mark();
}

/* ------------------------------------------------------------------ texts */

EXPORT void plumb_text_add(struct plumb_text *to, const char *format, ...)
{
    va_list args;
    if (!to || to->used + 1 >= to->size)
        return;
    va_start(args, format);
    int length = vsnprintf(to->data + to->used, to->size - to->used, format, args);
    va_end(args);
    if (length > 0)
        to->used = to->used + (size_t)length < to->size ? to->used + (size_t)length : to->size - 1;
}
