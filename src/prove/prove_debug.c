/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_again.h"
#include "prove/prove.h"
#include "prove/prove_verbs.h"

#include <stddef.h>

#define EXPORTED __attribute__((visibility("default"), used))

/* The assembly keeps the compiler from leaving out the call of a function that does nothing. */
EXPORTED __attribute__((noinline)) void plumb_debug_event(void);
EXPORTED __attribute__((noinline)) void plumb_debug_error(void);

void plumb_debug_event(void)
{
    __asm__ volatile("");
}

void plumb_debug_error(void)
{
    __asm__ volatile("");
}

static uint32_t events_done;

/* The helper has the same list. A change of the fields is a new version. */
enum { VIEW_VERSION = 1 };

struct prove_view {
    uint64_t version;
    uint64_t shared, done, base, verbs, verb_count, threads, thread_count; /* addresses */
    uint64_t thread_size, thread_pc, thread_is_open, thread_op;            /* of a thread */
    uint64_t message, operations, operation_size, events, event_size;      /* in the shared memory */
    uint64_t event_kind, event_number, event_numbers, event_reuse, event_pc, event_address, event_hook;
};

extern const struct prove_view plumb_prove_view;

#define IN_SHARED(field) offsetof(struct prove_shared, field)
#define IN_EVENT(field) offsetof(struct prove_event, field)
#define IN_THREAD(field) offsetof(struct prove_thread, field)

EXPORTED const struct prove_view plumb_prove_view = {
    .version = VIEW_VERSION,
    .shared = (uint64_t)&prove.shared,
    .done = (uint64_t)&events_done,
    .base = (uint64_t)&prove.program.base,
    .verbs = (uint64_t)prove_verbs,
    .verb_count = PROVE_VERBS,
    .threads = (uint64_t)prove.state.threads,
    .thread_count = (uint64_t)&prove.threads,
    .thread_size = sizeof(struct prove_thread),
    .thread_pc = IN_THREAD(registers.pc),
    .thread_is_open = IN_THREAD(is_open),
    .thread_op = IN_THREAD(op),
    .message = (uint64_t)prove.problem,
    .operations = IN_SHARED(operations),
    .operation_size = PROVE_NAME,
    .events = IN_SHARED(events),
    .event_size = sizeof(struct prove_event),
    .event_kind = IN_EVENT(kind),
    .event_number = IN_EVENT(number),
    .event_numbers = IN_EVENT(numbers),
    .event_reuse = IN_EVENT(reuse),
    .event_pc = IN_EVENT(pc),
    .event_address = IN_EVENT(address),
    .event_hook = IN_EVENT(hook),
};

void prove_debug_event(uint32_t count)
{
    events_done = count;
    plumb_debug_event();
}

void prove_debug_error(void)
{
    plumb_debug_error();
}
