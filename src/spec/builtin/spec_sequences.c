/* SPDX-License-Identifier: Apache-2.0 */
/* queue, stack and deque: what an operation does at which end of a ring. */
#include "history/value_text.h"
#include "spec/builtin/builtin.h"

enum sequence_verb { SEQUENCE_PUT, SEQUENCE_TAKE, SEQUENCE_LOOK };

struct sequence_action {
    enum sequence_verb verb;
    enum ring_end end;
};

/* With a limit additions answer whether there was room; a plain ok means that there was. */
static bool sequence_put(struct ring *r, enum ring_end end, const struct plumb_call *call,
                         plumb_value *result)
{
    if (r->limit && r->count >= r->limit)
        return spec_answer(call, PLUMB_FALSE, result);
    bool says_true = r->limit ? call->result != PLUMB_OK : call->result == PLUMB_TRUE;
    if (!spec_answer(call, says_true ? PLUMB_TRUE : PLUMB_OK, result))
        return false;
    ring_push(r, end, call->arg);
    return true;
}

static bool sequence_step(struct ring *r, struct sequence_action action, const struct plumb_call *call,
                          unsigned choice, plumb_value *result)
{
    if (choice)
        return false;
    if (action.verb == SEQUENCE_PUT)
        return sequence_put(r, action.end, call, result);
    if (!r->count)
        return spec_answer(call, PLUMB_NONE, result);
    if (!spec_answer(call, ring_at(r, action.end == RING_FRONT ? 0 : r->count - 1), result))
        return false;
    if (action.verb == SEQUENCE_TAKE)
        ring_pop(r, action.end);
    return true;
}

/* As if `end` were taken off again and again. */
static void sequence_list(const struct whole *w, struct whole_item *items)
{
    const struct ring *r = w->state;
    for (uint32_t i = 0; i < r->count; i++)
        items[i] = (struct whole_item){i, ring_at(r, w->how == RING_FRONT ? i : r->count - 1 - i)};
}

static bool sequence_whole(struct ring *r, enum ring_end end, enum whole_operation op,
                           const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct whole w = {r->values, r, r->count, sequence_list, end};
    if (choice || !whole_answer(&w, op, call, result))
        return false;
    if (whole_empties(op))
        ring_clear(r);
    return true;
}

static void sequence_print_range(struct text *out, const struct ring *r, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        text_puts(out, i > from ? ", " : "");
        value_print(out, r->values, ring_at(r, i));
    }
}

/* Front first; a long one loses its back. */
static size_t sequence_print(const void *state, char *buffer, size_t size)
{
    const struct ring *r = state;
    struct text out = {0};
    text_puts(&out, "[");
    sequence_print_range(&out, r, 0, r->count < SPEC_PRINT_MAX ? r->count : SPEC_PRINT_MAX);
    if (r->count > SPEC_PRINT_MAX)
        text_printf(&out, ", …, +%u more", r->count - SPEC_PRINT_MAX);
    text_puts(&out, "]");
    return spec_print_end(&out, buffer, size);
}

/* Top last; a long one loses its bottom. */
static size_t stack_print(const void *state, char *buffer, size_t size)
{
    const struct ring *r = state;
    if (r->count <= SPEC_PRINT_MAX)
        return sequence_print(state, buffer, size);
    struct text out = {0};
    text_printf(&out, "[+%u more, …, ", r->count - SPEC_PRINT_MAX);
    sequence_print_range(&out, r, r->count - SPEC_PRINT_MAX, r->count);
    text_puts(&out, "]");
    return spec_print_end(&out, buffer, size);
}

enum { QUEUE_ENQ, QUEUE_DEQ, QUEUE_PEEK, QUEUE_WHOLE };

static const struct plumb_operation queue_operations[] = {
    [QUEUE_ENQ] = {"enq", "e", "k", false, PLUMB_ADDS, "v"},
    [QUEUE_DEQ] = {"deq", "", "vN", false, PLUMB_REMOVES, NULL},
    [QUEUE_PEEK] = {"peek", "", "vN", true, PLUMB_LOOKS, NULL},
    WHOLE_OPERATIONS(QUEUE_WHOLE),
};

static bool queue_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    static const struct sequence_action actions[] = {
        [QUEUE_ENQ] = {SEQUENCE_PUT, RING_BACK},
        [QUEUE_DEQ] = {SEQUENCE_TAKE, RING_FRONT},
        [QUEUE_PEEK] = {SEQUENCE_LOOK, RING_FRONT},
    };
    if (call->op >= QUEUE_WHOLE)
        return sequence_whole(state, RING_FRONT, call->op - QUEUE_WHOLE, call, choice, result);
    return sequence_step(state, actions[call->op], call, choice, result);
}

#define QUEUE_MEMBERS                                                                  \
    .name = "queue", .summary = "first in, first out", RING_STATE, .step = queue_step, \
    .effect_free = spec_answers_none, .print = sequence_print, .deterministic = true

const struct plumb_spec spec_queue = {
    .kind = PLUMB_KIND_QUEUE,
    SPEC_FIRST_OPERATIONS(queue_operations, QUEUE_WHOLE),
    QUEUE_MEMBERS,
};

const struct plumb_spec spec_queue_whole = {SPEC_OPERATIONS(queue_operations), QUEUE_MEMBERS};

enum { STACK_PUSH, STACK_POP, STACK_PEEK, STACK_WHOLE };

static const struct plumb_operation stack_operations[] = {
    [STACK_PUSH] = {"push", "e", "k", false, PLUMB_ADDS, "v"},
    [STACK_POP] = {"pop", "", "vN", false, PLUMB_REMOVES, NULL},
    [STACK_PEEK] = {"peek", "", "vN", true, PLUMB_LOOKS, NULL},
    WHOLE_OPERATIONS(STACK_WHOLE),
};

static bool stack_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    static const struct sequence_action actions[] = {
        [STACK_PUSH] = {SEQUENCE_PUT, RING_BACK},
        [STACK_POP] = {SEQUENCE_TAKE, RING_BACK},
        [STACK_PEEK] = {SEQUENCE_LOOK, RING_BACK},
    };
    if (call->op >= STACK_WHOLE)
        return sequence_whole(state, RING_BACK, call->op - STACK_WHOLE, call, choice, result);
    return sequence_step(state, actions[call->op], call, choice, result);
}

#define STACK_MEMBERS                                                                 \
    .name = "stack", .summary = "last in, first out", RING_STATE, .step = stack_step, \
    .effect_free = spec_answers_none, .print = stack_print, .deterministic = true

const struct plumb_spec spec_stack = {
    .kind = PLUMB_KIND_STACK,
    SPEC_FIRST_OPERATIONS(stack_operations, STACK_WHOLE),
    STACK_MEMBERS,
};

const struct plumb_spec spec_stack_whole = {SPEC_OPERATIONS(stack_operations), STACK_MEMBERS};

enum { DEQUE_PUSH_FRONT, DEQUE_PUSH_BACK, DEQUE_POP_FRONT, DEQUE_POP_BACK, DEQUE_MORE };
enum { DEQUE_PEEK_FRONT = DEQUE_MORE, DEQUE_PEEK_BACK, DEQUE_WHOLE };

static const struct plumb_operation deque_operations[] = {
    [DEQUE_PUSH_FRONT] = {"push_front", "e", "k", false, PLUMB_ADDS, "v"},
    [DEQUE_PUSH_BACK] = {"push_back", "e", "k", false, PLUMB_ADDS, "v"},
    [DEQUE_POP_FRONT] = {"pop_front", "", "vN", false, PLUMB_REMOVES, NULL},
    [DEQUE_POP_BACK] = {"pop_back", "", "vN", false, PLUMB_REMOVES, NULL},
    [DEQUE_PEEK_FRONT] = {"peek_front", "", "vN", true, PLUMB_LOOKS, NULL},
    [DEQUE_PEEK_BACK] = {"peek_back", "", "vN", true, PLUMB_LOOKS, NULL},
    WHOLE_OPERATIONS(DEQUE_WHOLE),
};

static bool deque_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    static const struct sequence_action actions[] = {
        [DEQUE_PUSH_FRONT] = {SEQUENCE_PUT, RING_FRONT},  [DEQUE_PUSH_BACK] = {SEQUENCE_PUT, RING_BACK},
        [DEQUE_POP_FRONT] = {SEQUENCE_TAKE, RING_FRONT},  [DEQUE_POP_BACK] = {SEQUENCE_TAKE, RING_BACK},
        [DEQUE_PEEK_FRONT] = {SEQUENCE_LOOK, RING_FRONT}, [DEQUE_PEEK_BACK] = {SEQUENCE_LOOK, RING_BACK},
    };
    if (call->op >= DEQUE_WHOLE)
        return sequence_whole(state, RING_FRONT, call->op - DEQUE_WHOLE, call, choice, result);
    return sequence_step(state, actions[call->op], call, choice, result);
}

#define DEQUE_MEMBERS                                                                       \
    .name = "deque", .summary = "a sequence with two ends", RING_STATE, .step = deque_step, \
    .effect_free = spec_answers_none, .print = sequence_print, .deterministic = true

const struct plumb_spec spec_deque = {
    .kind = PLUMB_KIND_DEQUE,
    SPEC_FIRST_OPERATIONS(deque_operations, DEQUE_MORE),
    .at_front = UINT64_C(1) << DEQUE_PUSH_FRONT | UINT64_C(1) << DEQUE_POP_FRONT,
    DEQUE_MEMBERS,
};

const struct plumb_spec spec_deque_whole = {SPEC_OPERATIONS(deque_operations), DEQUE_MEMBERS};
