/* SPDX-License-Identifier: Apache-2.0 */
#include "ownspec/spec_watch.h"

#include "spec/registry.h"

static const struct plumb_spec *watched;
static struct plumb_spec watching;
static struct spec_watch *notes;
static _Thread_local struct spec_watch_thread *thread_notes;

static struct spec_watch_thread *own_notes(void)
{
    if (!thread_notes)
        thread_notes = &notes->threads[atomic_fetch_add(&notes->thread_count, 1) % SPEC_WATCH_THREADS];
    return thread_notes;
}

static void enter(enum spec_function function)
{
    struct spec_watch_thread *own = own_notes();
    uint64_t calls = atomic_load_explicit(&own->calls, memory_order_relaxed);
    atomic_store_explicit(&own->calls, calls + 1, memory_order_relaxed);
    atomic_store_explicit(&own->function, function, memory_order_relaxed);
}

static void leave(void)
{
    atomic_store_explicit(&own_notes()->function, IN_NONE, memory_order_relaxed);
}

/* The call `expression` of `function`, and what it answers. */
#define WATCHED(type, function, expression) \
    enter(IN_##function);                   \
    type answer = expression;               \
    leave();                                \
    return answer

static void *watched_init(const struct plumb_spec_options *options)
{
    WATCHED(void *, init, spec_init(watched, options));
}

static void watched_destroy(void *state)
{
    enter(IN_destroy);
    watched->destroy(state);
    leave();
}

static void *watched_clone(const void *state)
{
    WATCHED(void *, clone, watched->clone(state));
}

static uint64_t watched_hash(const void *state)
{
    WATCHED(uint64_t, hash, watched->hash(state));
}

static bool watched_equal(const void *a, const void *b)
{
    WATCHED(bool, equal, watched->equal(a, b));
}

static bool watched_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    WATCHED(bool, step, watched->step(state, call, choice, result));
}

static bool watched_blocks(const void *state, const struct plumb_call *call)
{
    WATCHED(bool, blocks, watched->blocks(state, call));
}

static bool watched_accept(const void *state)
{
    WATCHED(bool, accept, watched->accept(state));
}

static bool watched_effect_free(const struct plumb_call *call)
{
    WATCHED(bool, effect_free, watched->effect_free(call));
}

static plumb_value watched_key(const struct plumb_values *values, const struct plumb_call *call)
{
    WATCHED(plumb_value, key, watched->key(values, call));
}

static bool watched_valid_initial(const struct plumb_values *values, plumb_value initial)
{
    WATCHED(bool, valid_initial, watched->valid_initial(values, initial));
}

static size_t watched_print(const void *state, char *buffer, size_t size)
{
    WATCHED(size_t, print, watched->print(state, buffer, size));
}

static size_t watched_footprint(const void *state)
{
    WATCHED(size_t, footprint, watched->footprint(state));
}

const struct plumb_spec *spec_watch(const struct plumb_spec *spec, struct spec_watch *watch)
{
    watched = spec;
    notes = watch;
    watching = *spec;
    watching.init = watched_init;
    watching.init_of = NULL;
    /* What was left out stays so: its absence means something. */
#define X(name)        \
    if (watching.name) \
        watching.name = watched_##name;
    SPEC_FUNCTIONS(X)
#undef X
    return &watching;
}

void spec_watch_begin_loading(struct spec_watch *watch)
{
    notes = watch;
    enter(IN_CONSTRUCTOR);
}

void spec_watch_end_loading(void)
{
    leave();
}

const char *spec_watch_name(uint32_t function)
{
    static const char *const names[] = {"",
#define X(name) #name,
                                        SPEC_FUNCTIONS(X)
#undef X
                                            "a constructor"};
    return function < sizeof names / sizeof *names ? names[function] : "";
}
