/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the code of specifications: on the record of a call, on the state of its object, with the bytes that its pointers led to
 * at their addresses. */
#include "worker/calls/calls_state.h"

#include "base/memory.h"
#include "engine/engine.h"
#include "engine/real.h"

#include <string.h>

static struct {
    struct calls_question *question;
    char *start; /* the arena with all states as they begin */
    size_t start_size;
} machine;

/* ------------------------------------------------------------------ what pointers led to */

struct swapped {
    const struct call_pointee *pointee;
    char *bytes; /* what was there */
};

/* A call without result has only its begin. */
static bool is_seen(const struct call_pointee *p, uint32_t call, bool at_end)
{
    return p->call == call && p->at_end == (at_end && calls.list[call].completed);
}

static uint32_t put_pointees(uint32_t call, bool at_end, struct swapped *swapped)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < calls.pointee_count; k++) {
        const struct call_pointee *p = &calls.pointees[k];
        if (!is_seen(p, call, at_end))
            continue;
        char *bytes = base_alloc(p->size);
        if (quiet_exchange(p->at, p->bytes, bytes, p->size))
            swapped[count++] = (struct swapped){p, bytes};
        else
            free(bytes);
    }
    return count;
}

static void put_back(struct swapped *swapped, uint32_t count)
{
    while (count-- > 0) {
        quiet_put_back(swapped[count].pointee->at, swapped[count].bytes, swapped[count].pointee->size);
        free(swapped[count].bytes);
    }
}

/* ------------------------------------------------------------------ running code */

enum code { CODE_PRE, CODE_SIDE, CODE_POST, CODE_PRINT, CODE_RESULT };

static int run_code(enum code code, const struct call *c, void *state, struct plumb_text *text)
{
    const struct plumb_interface *i = c->interface;
    switch (code) {
    case CODE_PRE: return i->check_pre(state, c->record);
    case CODE_SIDE: i->run_side(state, c->record); return 1;
    case CODE_POST: return i->check_post(state, c->record);
    case CODE_PRINT: i->print(c->record, text); return 1;
    case CODE_RESULT: i->print_result(c->record, text); return 1;
    }
    return 1;
}

static const struct plumb_place *place_of(const struct plumb_interface *i, enum code code)
{
    const struct plumb_place *p = code == CODE_PRE    ? &i->pre.place
                                  : code == CODE_SIDE ? &i->side.place
                                  : code == CODE_POST ? &i->post.place
                                                      : &i->place;
    return p->file ? p : &i->place;
}

static int run(enum code code, uint32_t call, struct plumb_text *text)
{
    static const char *const names[] = {"@PreCondition", "@SideEffect", "@PostCondition", "@Interface",
                                        "@Interface"};
    static struct swapped swapped[CALLS_POINTEES];
    struct call *c = &calls.list[call];
    void *state = machine.question->objects[machine.question->calls[call].object].state;
    uint32_t count = put_pointees(call, code != CODE_PRE, swapped);
    real.memcpy(c->record, c->kept, c->interface->size);
    calls_enter_code(place_of(c->interface, code), names[code], c->interface->name);
    int answer = run_code(code, c, state, text);
    calls_leave_code();
    real.memcpy(c->kept, c->record, c->interface->size);
    put_back(swapped, count);
    return answer;
}

static bool check_pre(void *context, uint32_t call)
{
    (void)context;
    const struct call *c = &calls.list[call];
    bool unknown = !c->completed && c->interface->pre_uses_result;
    return !c->interface->check_pre || unknown || run(CODE_PRE, call, NULL);
}

static void run_side(void *context, uint32_t call)
{
    (void)context;
    if (calls.list[call].interface->run_side)
        run(CODE_SIDE, call, NULL);
}

static bool check_post(void *context, uint32_t call)
{
    (void)context;
    return !calls.list[call].interface->check_post || run(CODE_POST, call, NULL);
}

/* ------------------------------------------------------------------ states */

static void restore(void *context, const void *bytes, size_t size)
{
    (void)context;
    quiet_restore(bytes, size);
}

static void reset(void *context)
{
    restore(context, machine.start, machine.start_size);
}

static size_t save(void *context, const void **bytes)
{
    (void)context;
    return quiet_save(bytes);
}

static void begin_object(struct calls_object *o)
{
    const struct plumb_structure *s = o->structure;
    o->state = quiet_allocate(s && s->size ? s->size : 1, 64);
    if (!o->state)
        calls_refuse(s ? &s->place : NULL, "its state needs more memory than there is");
    if (!s || !s->init)
        return;
    calls_enter_code(&s->place, "@InitVar", s->name && *s->name ? s->name : NULL);
    s->init(o->state);
    calls_leave_code();
}

void calls_machine_begin(struct calls_question *q)
{
    const void *bytes;
    machine.question = q;
    for (uint32_t k = 0; k < q->object_count; k++)
        begin_object(&q->objects[k]);
    machine.start_size = quiet_save(&bytes);
    machine.start = base_alloc(machine.start_size);
    real.memcpy(machine.start, bytes, machine.start_size);
    q->question.machine =
        (struct ordering_machine){NULL, reset, check_pre, run_side, check_post, save, restore};
}

void calls_machine_end(struct calls_question *q)
{
    (void)q;
    free(machine.start);
    machine.start = NULL;
}

/* ------------------------------------------------------------------ texts */

void calls_print_result(uint32_t call, char *to, size_t size)
{
    const struct call *c = &calls.list[call];
    struct plumb_text text = {to, size, 0};
    *to = 0;
    if (c->completed && c->interface->print_result)
        run(CODE_RESULT, call, &text);
}

void calls_print_call(uint32_t call, char *to, size_t size)
{
    const struct call *c = &calls.list[call];
    struct plumb_text text = {to, size, 0};
    *to = 0;
    if (c->interface->print)
        run(CODE_PRINT, call, &text);
    else
        plumb_text_add(&text, "%s", c->interface->name);
    if (!c->completed)
        plumb_text_add(&text, " (pending)");
    if (!c->completed || !c->interface->print_result)
        return;
    plumb_text_add(&text, " = ");
    run(CODE_RESULT, call, &text);
}

void calls_print_state(const struct calls_object *o, char *to, size_t size)
{
    struct plumb_text text = {to, size, 0};
    *to = 0;
    if (!o->structure || !o->structure->print)
        return;
    calls_enter_code(&o->structure->place, "@DeclareVar", NULL);
    o->structure->print(o->state, &text);
    calls_leave_code();
}
