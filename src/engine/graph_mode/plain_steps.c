/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/graph_mode/plain_steps.h"

#include "base/vec.h"
#include "engine/graph_mode/contents.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/code/code_window.h"
#include "engine/memory/objects.h"
#include "engine/engine_quick.h"
#include "engine/graph_mode/plain_split.h"
#include "engine/real.h"
#include "engine/memory/snapshot.h"
#include "explore/graphs_memory.h"

enum { GRANULE = 8, WRITES_IN_A_ROW = 64 };

bool races_allowed, plain_steps_on, plain_is_compiled, volatile_is_atomic, plain_steps_recorded;

static struct {
    piece_list pieces; /* of the write that is still to be reported */
    const void *pc;
    struct plain_write compiled; /* the same, if it is not known to have happened since `compiled_pc` */
    const void *compiled_pc;
} pending;

/* What the last reads of a thread found, at one place of the program: a function that reads twice (memcmp) looks
 * after both, when others have gone on in between. */
static struct held {
    const void *pc;
    size_t last; /* the pieces of the last one begin here */
    piece_list pieces;
} held_by[THREADS_MAX];

static uint32_t writes_of[THREADS_MAX]; /* in this execution */

static VEC(struct plain_write) initial_writes; /* of this execution */
static bool suspects_own; /* reads of the running thread (engine_suspect_own_reads), in this execution */

void plain_steps_prepare(void)
{
    races_allowed = engine.shared->config.choices & CHOICE_RACES;
    volatile_is_atomic = engine.shared->config.choices & CHOICE_VOLATILE;
    engine.switches_plain = races_allowed && !engine_graph_mode;
    plain_steps_on = (races_allowed || volatile_is_atomic) && engine_graph_mode;
    plain_steps_recorded = plain_steps_on && (engine.shared->config.races || volatile_is_atomic);
    graph_mode_interest.all = plain_steps_on;
    plain_forget_ends();
}

void plain_steps_begin(void)
{
    vec_clear(&initial_writes);
    suspects_own = false;
    vec_clear(&pending.pieces);
    pending.compiled.size = 0;
    for (uint32_t t = 0; t < THREADS_MAX; t++) {
        vec_clear(&held_by[t].pieces);
        held_by[t].pc = NULL;
        writes_of[t] = 0;
    }
}

static event_word load(uint64_t address, unsigned size)
{
    event_word value = 0;
    real.memcpy(&value, (const void *)address, size);
    return value;
}

bool plain_holds(uint64_t address, unsigned size, event_word value)
{
    return load(address, size) == value;
}

static void store(uint64_t address, unsigned size, event_word value)
{
    if (!plain_holds(address, size, value))
        real.memcpy((void *)address, &value, size);
}

/* ------------------------------------------------------------------ whose memory it is */

static bool is_shared(uint64_t address, size_t size)
{
    for (uint64_t g = address / GRANULE; g <= (address + size - 1) / GRANULE; g++)
        if (plain_knows(GRAPHS_SHARED, g * GRANULE))
            return true;
    return false;
}

static uint32_t owner_of(uint64_t address)
{
    uint32_t t = 0;
    while (t < engine.count &&
           !(engine.threads[t].has_fiber && fiber_owns(&engine.threads[t].fiber, address)))
        t++;
    return t;
}

/* Stacks and thread-local variables of other threads: their owners have to know, too. */
static void watch_foreign(uint64_t address, size_t size)
{
    if (fiber_owns(&engine.running->fiber, address) || owner_of(address) == engine.count)
        return;
    for (uint64_t g = address / GRANULE; g <= (address + size - 1) / GRANULE; g++)
        if (!plain_knows(GRAPHS_SHARED, g * GRANULE))
            plain_find_out(GRAPHS_SHARED, g * GRANULE);
}

/* Accesses there are never steps: addresses that other libraries, or the system, choose may be others the next time. */
static bool is_apart(uint64_t address)
{
    return address - HEAP_BASE >= heap_room &&
           (!snapshot_is_program_data(address) || cxx_objects_have(address)) &&
           owner_of(address) == engine.count;
}

/* Before there is a second thread everything belongs to the initial values. */
bool plain_is_step(uint64_t address, size_t size)
{
    if (engine.count == 1 || is_apart(address))
        return false;
    return !fiber_owns(&engine.running->fiber, address) || is_shared(address, size);
}

void plain_steps_found_race(const struct race *r)
{
    if (engine.shared->config.mode == WORKER_DFS) /* sampling promises nothing */
        engine_limit(LIMIT_RACES);
    if (plain_steps_on && is_apart(r->address) && !snapshot_is_system_data(r->address) &&
        !cxx_objects_have(r->address))
        plain_refuse("a race on memory that is neither a variable of the program nor from its heap",
                     (const void *)r->second_pc);
}

/* ------------------------------------------------------------------ what memory holds */

static void check_content(uint64_t address, unsigned size, const void *pc)
{
    if (contents_are_noted(address, size))
        return;
    frames_check_alive(address, size, pc); /* others use the stack of a function that has returned */
    plain_refuse("memory that is written both by the program and, unannounced, by a library", pc);
}

/* ------------------------------------------------------------------ reads */

static event_word read_piece(const struct piece *p, const void *pc)
{
    struct port_action *next = &engine.next[engine.current], described = *next;
    check_content(p->address, p->size, pc);
    engine_describe_memory(OPERATION_LOAD, ORDER_RELAXED, ORDER_RELAXED, 0, 0);
    engine_step(EVENT_READ, p->address, p->size, pc);
    *next = described;
    heap_check(p->address, p->size, pc);
    event_word found = load(p->address, p->size);
    engine_add_event(EVENT_READ, p->address, p->size, ORDER_PLAIN, (uint64_t)found, (uint64_t)found, pc);
    return found;
}

static struct held *begin_holding(const void *pc)
{
    struct held *h = &held_by[engine.current];
    size_t kept = h->pc == pc ? h->pieces.len - h->last : 0;
    for (size_t i = 0; i < kept; i++)
        h->pieces.data[i] = h->pieces.data[h->last + i];
    h->pieces.len = h->last = kept;
    h->pc = pc;
    return h;
}

static void show_held(const struct held *h)
{
    for (size_t i = 0; i < h->pieces.len; i++) {
        const struct piece *p = &h->pieces.data[i];
        store(p->address, p->size, p->value);
        contents_note(p->address, p->size);
    }
}

static void read(struct cut c, const void *pc)
{
    struct held *h = begin_holding(pc);
    while (c.from < c.end) {
        struct piece p = plain_next_piece(&c);
        p.value = read_piece(&p, pc);
        vec_push(&h->pieces, p);
    }
    show_held(h);
}

/* ------------------------------------------------------------------ writes */

/* Code that writes a part (a bit-field) keeps the rest, as the thread knows it. */
static void show_known(const struct piece *p)
{
    event_word value;
    if (contents_are_noted(p->address, p->size) &&
        explore_graphs_plain_read(engine.explorer, engine.current, p->address, p->size, &value)) {
        store(p->address, p->size, value);
        contents_note(p->address, p->size);
    }
}

/* `reads`: what the thread has just read is needed as well (memmove, structures). */
static void prepare_write(struct cut c, bool reads, const void *pc)
{
    const struct held *h = &held_by[engine.current];
    pending.pc = pc;
    while (c.from < c.end) {
        struct piece p = plain_next_piece(&c);
        show_known(&p);
        vec_push(&pending.pieces, p);
    }
    if (reads || h->pc == pc)
        show_held(h);
    for (size_t i = 0; i < pending.pieces.len; i++) {
        struct piece *p = &pending.pieces.data[i];
        p->value = load(p->address, p->size);
    }
}

/* The explorer looks at what was there before, if it has not looked there yet. */
static void report_write(const struct piece *p)
{
    event_word value = load(p->address, p->size);
    struct port_action a = {
        .address = p->address,
        .thread = (uint16_t)engine.current,
        .kind = EVENT_WRITE,
        .size = (uint8_t)p->size,
        .order = ORDER_RELAXED,
        .failure_order = ORDER_PLAIN,
        .operation = OPERATION_STORE,
        .operand = value,
    };
    store(p->address, p->size, p->value);
    explore_graphs_store(engine.explorer, &a);
    store(p->address, p->size, value);
    graph_mode_show_interest(p->address, p->size);
    contents_note(p->address, p->size);
    if (graph_mode_relates)
        graph_mode_note_step();
    engine_add_event(EVENT_WRITE, p->address, p->size, ORDER_PLAIN, (uint64_t)p->value, (uint64_t)value,
                     pending.pc);
}

void plain_steps_settle(void)
{
    bool active = engine_active;
    if (!pending.pieces.len)
        return;
    engine_active = false;
    for (size_t i = 0; i < pending.pieces.len; i++)
        report_write(&pending.pieces.data[i]);
    graph_mode_interest.clock_unknown = true;
    vec_clear(&pending.pieces);
    pending.compiled.size = 0;
    engine_active = active;
}

/* ------------------------------------------------------------------ writes announced too early */

void plain_note_compiled(uint64_t address, size_t size, const void *pc)
{
    if (!pending.pieces.len)
        return;
    pending.compiled = (struct plain_write){address, size, pc};
    pending.compiled_pc = pc;
}

static bool has_changed(void)
{
    for (size_t i = 0; i < pending.pieces.len; i++) {
        const struct piece *p = &pending.pieces.data[i];
        if (!plain_holds(p->address, p->size, p->value))
            return true;
    }
    return false;
}

struct plain_write plain_take_unwritten(const void *pc)
{
    struct plain_write w = pending.compiled;
    if (!w.size || has_changed())
        return (struct plain_write){0};
    bool on_stack = fiber_has_on_stack(&engine.running->fiber, w.address);
    enum code_answer answer = code_window(pending.compiled_pc, pc, on_stack);
    if (answer == CODE_STORES)
        return (struct plain_write){0};
    if (answer == CODE_UNKNOWN)
        plain_refuse("a write of the value that is there already, in unknown machine code,", pc);
    vec_clear(&pending.pieces);
    pending.compiled.size = 0;
    return w;
}

/* A copy that is a call of memcpy announces everything once more. */
void plain_put_back(const struct plain_write *w, uint64_t address, size_t size, bool writes, const void *pc)
{
    if (!w->size || (writes && w->address == address && w->size == size))
        return;
    if (writes)
        plain_refuse("a write that is announced before another one happens", pc);
    prepare_write(plain_begin_cut(w->address, w->size, true), true, w->pc);
    pending.compiled = *w;
    pending.compiled_pc = pc;
}

/* ------------------------------------------------------------------ accesses */

/* A thread that only writes would never ask who is next. */
static void yield_now_and_then(const void *pc)
{
    if (++writes_of[engine.current] % WRITES_IN_A_ROW == 0)
        engine_step(EVENT_YIELD, 0, 0, pc);
}

bool engine_suspect_own_reads(void)
{
    bool suspects = plain_steps_on && engine.count > 1 && !suspects_own;
    suspects_own |= suspects;
    return suspects;
}

/* The running thread repeats a loop and has no step in it. Others that would end it have not come to their writes yet. */
static void share_own(uint64_t address, bool writes)
{
    if (!writes && fiber_owns(&engine.running->fiber, address) && !is_shared(address, 1))
        plain_find_out(GRAPHS_SHARED, address / GRANULE * GRANULE);
}

bool plain_steps_access(uint64_t address, size_t size, bool writes, const void *pc)
{
    struct cut c = plain_begin_cut(address, size, plain_is_compiled);
    plain_is_compiled = false;
    graph_mode_settle();
    if (__builtin_expect(suspects_own, false))
        share_own(address, writes);
    if (!plain_is_step(address, size))
        return false;
    watch_foreign(address, size);
    if (writes) {
        yield_now_and_then(pc);
        prepare_write(c, false, pc);
    } else {
        read(c, pc);
    }
    return true;
}

void plain_steps_arrive(uint64_t address, unsigned size, const void *pc)
{
    if (engine.count > 1)
        watch_foreign(address, size);
    if (plain_fits(address, size)) /* else the explorer says so */
        check_content(address, size, pc);
}

void plain_note_initial(uint64_t address, size_t size)
{
    vec_push(&initial_writes, ((struct plain_write){address, size, NULL}));
}

bool plain_was_initially_written(uint64_t address, size_t size)
{
    for (size_t i = 0; i < initial_writes.len; i++) {
        const struct plain_write *w = &initial_writes.data[i];
        if (w->address < address + size && address < w->address + w->size)
            return true;
    }
    return false;
}

static _Noreturn void fail_use_after_free(const struct graphs_access *first, const char *does, const void *pc)
{
    struct worker_error *error = &engine.shared->error;
    error->stack_count = 2;
    error->stacks[1] =
        (struct worker_stack){.thread = first->thread, .count = 1, .pcs = {graph_mode_find_place(first)}};
    engine_fail(WORKER_ERROR_USE_AFTER_FREE, first->address, pc,
                "T%u frees a block, and T%u %s: neither happens before the other", engine.current,
                first->thread, does);
}

/* A thread that accesses the block and is not ordered might as well come later. */
void plain_steps_free(uint64_t address, size_t size, const void *pc)
{
    struct graphs_access first = {0};
    graph_mode_settle();
    if (explore_graphs_unordered(engine.explorer, engine.current, address, size, true, &first))
        fail_use_after_free(&first, "accesses it", pc);
    if (explore_graphs_object_in_use(engine.explorer, engine.current, address, address + size, &first.address,
                                     &first.thread))
        fail_use_after_free(&first, "uses an object in it", pc);
}
