/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/engine.h"

#include "engine/engine_state.h"

#define EXPORTED __attribute__((visibility("default"), used))

/* The assembly keeps the compiler from leaving out the call of a function that does nothing. */
EXPORTED __attribute__((noinline)) void plumb_debug_event(void)
{
    __asm__ volatile("");
}

EXPORTED __attribute__((noinline)) void plumb_debug_error(void)
{
    __asm__ volatile("");
}

static const char *const kinds[] = {
#define X(name, text) text,
    EVENT_KINDS(X)
#undef X
};

static const char *const errors[] = {
#define X(name, word, text) text,
    WORKER_ERRORS(X)
#undef X
};

/* What the words mean is said in engine_state.h, protocol.h and event.h; the helper has the same list. A change of
 * the fields is a new version. */
enum { VIEW_VERSION = 1 };

struct debugger_view {
    uint64_t version;
    uint64_t engine, active, kinds, errors;                                  /* addresses */
    uint64_t shared, current, count, alive, waiting, joining, next, threads; /* offsets in struct engine */
    uint64_t thread_size, spins, pc, kernel_thread;                          /* of a thread */
    uint64_t action_size, action_address, action_kind;                       /* of its next step */
    uint64_t event_count, events_lost, error_kind, error_message;            /* in the shared memory */
    uint64_t stack_count, stack_thread, operations, events;                  /* the same */
    uint64_t event_size, event_pc, event_address, event_before, event_value, event_thread; /* of an event */
};

extern const struct debugger_view plumb_debug_view;

#define IN_ENGINE(field) offsetof(struct engine, field)
#define IN_THREAD(field) offsetof(struct thread, field)
#define IN_ACTION(field) offsetof(struct port_action, field)
#define IN_SHARED(field) offsetof(struct worker_shared, field)
#define IN_EVENT(field) offsetof(struct event, field)

EXPORTED const struct debugger_view plumb_debug_view = {
    .version = VIEW_VERSION,
    .engine = (uint64_t)&engine,
    .active = (uint64_t)&engine_active,
    .kinds = (uint64_t)kinds,
    .errors = (uint64_t)errors,
    .shared = IN_ENGINE(shared),
    .current = IN_ENGINE(current),
    .count = IN_ENGINE(count),
    .alive = IN_ENGINE(alive),
    .waiting = IN_ENGINE(waiting),
    .joining = IN_ENGINE(joining),
    .next = IN_ENGINE(next),
    .threads = IN_ENGINE(threads),
    .thread_size = sizeof(struct thread),
    .spins = IN_THREAD(spins),
    .pc = IN_THREAD(pc),
    .kernel_thread = IN_THREAD(fiber.kernel_thread),
    .action_size = sizeof(struct port_action),
    .action_address = IN_ACTION(address),
    .action_kind = IN_ACTION(kind),
    .event_count = IN_SHARED(event_count),
    .events_lost = IN_SHARED(events_lost),
    .error_kind = IN_SHARED(error.kind),
    .error_message = IN_SHARED(error.message),
    .stack_count = IN_SHARED(error.stack_count),
    .stack_thread = IN_SHARED(error.stacks[0].thread),
    .operations = IN_SHARED(operations),
    .events = IN_SHARED(events),
    .event_size = sizeof(struct event),
    .event_pc = IN_EVENT(pc),
    .event_address = IN_EVENT(address),
    .event_before = IN_EVENT(before),
    .event_value = IN_EVENT(value),
    .event_thread = IN_EVENT(thread),
};
