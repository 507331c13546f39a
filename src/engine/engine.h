/* SPDX-License-Identifier: Apache-2.0 */
/* The engine: runs the program under test one execution after the other, on fibers, every step under the
 * explorer's control. The main header of this folder.
 *
 * The runtime (src/rt) calls in: before every visible step with engine_step, after it with engine_note_*;
 * to wait with engine_wait. Everything here runs on one kernel thread; there is one engine per process. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "engine/race/clocks.h"
#include "engine/memory/image.h"
#include "engine/shared/protocol.h"
#include "explore/port.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Said of variables that every access looks at: no detour through the table that lets another library
 * define them. */
#define ENGINE_HIDDEN __attribute__((visibility("hidden")))

/* True while program code runs inside an execution: hooks do nothing otherwise. */
extern bool engine_active ENGINE_HIDDEN;

/* ---- executions (called by the worker) ---- */

void engine_prepare(struct worker_shared *shared, struct explorer *explorer);

/* Another one, between executions. */
void engine_change_explorer(struct explorer *explorer);
struct explorer *engine_explorer(void);

/* Runs one execution of `body` as thread 0. */
enum port_outcome engine_run(void (*body)(void *), void *argument);

/* Is the last execution to be run once more, because something was not looked at that matters? */
bool engine_runs_again(void);

/* ---- steps of the current thread (called by the runtime) ---- */

uint32_t engine_current(void);

/* Announces the next visible step; other threads may run before this returns. */
void engine_step(enum event_kind kind, uint64_t address, unsigned size, const void *pc);

/* The same, when the step is possible only while ready(object) is true. A thread that waits forever
 * deadlocks. */
void engine_wait(enum event_kind kind, uint64_t address, bool (*ready)(void *object), void *object,
                 const void *pc);

/* The same with a time limit: false when the explorer lets it expire. */
bool engine_wait_limited(enum event_kind kind, uint64_t address, bool (*ready)(void *object), void *object,
                         const void *pc);

/* The step has happened: into the trace. A failed EVENT_TRYLOCK may name the bytes (`size` of them, at
 * most 16) on which its failure depends: then a loop of tries is a wait for their change. */
void engine_note(enum event_kind kind, uint64_t address, unsigned size, unsigned order, uint64_t before,
                 uint64_t value, const void *pc);

/* Happens-before of synchronization objects. */
void engine_acquire(uint64_t object);
void engine_release(uint64_t object);

/* Plain accesses: checked for races and for the state of the heap. */
void engine_plain(uint64_t address, size_t size, bool writes, const void *pc);
/* The same, announced by the compiler: it happens after this, perhaps after other announcements. */
void engine_plain_compiled(uint64_t address, size_t size, bool writes, const void *pc);
/* The current thread has allocated a block, for explorers that remember what threads do. */
void engine_note_block(uint64_t address, size_t size);
/* The same as engine_plain for the whole of a block that is freed, and of an object that begins or ends. */
void engine_plain_free(uint64_t address, size_t size, const void *pc);
void engine_plain_object(uint64_t address, size_t size, const void *pc);
/* The system looks at a word, such as a futex, as a relaxed atomic load does: does that race? */
void engine_system_read(uint64_t address, size_t size, const void *pc);
/* A synchronization object is used: races with writes that are not ordered before, and with its allocation. */
void engine_use_object(uint64_t address, size_t size, const void *pc);
/* engine_step, by which the thread leaves such an object to others. The object is used before it: who goes on may free the object. */
void engine_step_leaving(enum event_kind kind, uint64_t object, size_t size, const void *pc);
/* A volatile one: a plain access, or, if that was asked for, an atomic relaxed one. */
void engine_volatile(uint64_t address, size_t size, bool writes, const void *pc);

/* The same of a write that has happened already: what memory should have held before does not replace it. */
void engine_plain_late(uint64_t address, size_t size, const void *pc);
/* May the graph say what is there? Then a write has to be announced right before it happens. */
bool engine_is_in_graph(uint64_t address, size_t size);

/* Are plain accesses steps, at which other threads may go on, because races are no errors? */
bool engine_allows_races(void);
/* Atomic accesses, after they were performed: the same checks, clocks and the trace. */
void engine_atomic(enum event_kind kind, uint64_t address, unsigned size, unsigned order, uint64_t before,
                   uint64_t value, const void *pc);
void engine_fence(unsigned order, const void *pc);
/* Did the atomic access that the current thread is just making read what was never written? The second fails then. */
bool engine_read_nothing(uint64_t address, size_t size);
/* Was the byte of the heap ever written? Where plain accesses are steps it always counts as written. */
bool engine_was_written(uint64_t address);
void engine_check_written(uint64_t address, size_t size, const void *pc);
/* The current thread reads that plainly, and not to copy it. */
void engine_check_plain_read(uint64_t address, size_t size, const void *pc);

/* Did the current thread, since the call of the first, write outside of its stack, or call a function of which
 * nothing is known? A visible step in between is not reported here: steps are counted. */
void engine_watch_effects(void);
bool engine_had_effect(void);
/* The current thread repeats a loop without a step. Can it be one that reads its own stack, or a thread-local variable, which others
 * have not accessed so far (plain_steps.h)? The next such read is then taken for one that others may end, and everything begins
 * again; true once in an execution. */
bool engine_suspect_own_reads(void);
/* The running thread is inside a function of the library that makes several steps, and knows this besides what they show, and
 * what the program gave it; 0: not any more. It is part of where the thread is (port_action.live). */
void engine_note_inside(uint64_t what);
uint64_t engine_inside(void);
/* It looks at the clock: time is part of its state if it makes use of what it finds there. Does it? */
bool engine_note_look(uint64_t out, const void *pc);
/* It makes use of the time: how much has passed is part of the state of every thread, from the beginning of all executions on. */
void engine_note_use_of_time(void);
void engine_note_time(void);   /* time passes */
void engine_note_effect(void); /* the running thread did something that is not seen in full */

/* The clock of the current thread, and whether it has that of another one: the event at that clock happens before now. */
int32_t engine_now(void);
bool engine_knows(uint32_t thread, int32_t clock);

/* Marks of specifications in comments (src/rt/calls), which are no events. Positions are numbers of events of the current thread
 * by graph, else of events of the trace. The next one of the thread; its last atomic access, or step at a synchronization object
 * (UINT32_MAX: there was none). */
uint32_t engine_position(void);
uint32_t engine_last_access(void);
/* The current thread has made such a mark: what a loop that only waits leaves out has marks then (LIMIT_MARKS). */
void engine_note_mark(void);

/* Schedules: called after every step, with the hooks off. Null: nothing is. */
extern void (*engine_at_step)(void) ENGINE_HIDDEN;

/* A choice of the program itself. */
uint32_t engine_branch(uint32_t ways);

/* What the program assumes is not so: the thread goes no further, and the execution does not count. The other threads
 * do go on: what they write may be what the assumption waits for. */
_Noreturn void engine_refute_assumption(void);
bool engine_was_refuted(void); /* in the execution at hand */

/* The running thread begins, or ends, what is several steps for an explorer and one for the program: a call of the kernel, an atomic section. A
 * thread that stops forever (--progress) does not stop there. */
void engine_begin_whole(void);
void engine_end_whole(void);

/* The running thread enters an atomic section, whose lock it holds, or leaves it. Schedules keep others from running;
 * the graphs of sc are looked at when they are complete, or have an error (engine_sections_stand). */
void engine_enter_section(uint64_t lock);
void engine_leave_section(void);
/* False: another thread came between the steps of a section. There is no such execution. */
bool engine_sections_stand(void);
/* The execution is over: an error that was found in the middle of a section counts now, or never; a thread that waits in vain does so
 * now. */
void engine_report_deferred(void);

const struct worker_config *engine_config(void);

/* Does what may happen at `object` (CHOICE_SPURIOUS, CHOICE_WEAK_CAS) happen now? Not asked for: no, and that it
 * might have is kept. After a yes, the same thread gets a no at the next occasion at this place and object: or a
 * loop around it could go on forever. */
bool engine_happens(enum worker_choice what, uint64_t object, const void *pc);

/* Something was met that is not, or not wholly, looked at. */
void engine_limit(enum worker_limit limit);

/* The program calls a function of which nothing is known. */
struct import_call;
void engine_note_unseen(struct import_call *call);

/* The system decides what the function answers; in executions it is the same each time, and the verdict names the function. */
void engine_note_answer(const char *function, const void *pc);
/* The same, or (not `is_given`) of an instruction that is run. */
void engine_keep_answer(const char *name, uint64_t pc, bool is_given);

/* ---- explorers of graphs ---- */

/* They decide what a step finds, so what it will do is described to them before it. Does nothing for other explorers. */
extern bool engine_graph_mode ENGINE_HIDDEN;

/* The next step is `o` on a synchronization object, whose value is `value` if it was not used before. */
void engine_describe_object(enum operation o, uint64_t operand, uint64_t value, unsigned order);
static inline void engine_describe(enum operation o, uint64_t operand, uint64_t value, unsigned order)
{
    if (__builtin_expect(engine_graph_mode, false))
        engine_describe_object(o, operand, value, order);
}

/* Of an unlock by a locked instruction, as those of mutexes and reader-writer locks in glibc: under tso it drains the store buffer. */
extern uint8_t engine_unlock_order ENGINE_HIDDEN;

/* The next step is `o` on memory. */
void engine_describe_memory(enum operation o, unsigned order, unsigned failure_order, event_word operand,
                            event_word expected);
static inline void engine_describe_access(enum operation o, unsigned order, unsigned failure_order,
                                          event_word operand, event_word expected)
{
    if (__builtin_expect(engine_graph_mode, false))
        engine_describe_memory(o, order, failure_order, operand, expected);
}

/* Objects in [address, address + size) begin anew, with this value. */
void engine_restart_objects(uint64_t address, size_t size, uint64_t value);

/* The described step is a CAS on `object` that may fail for no reason, if it may (engine_happens). */
void engine_describe_weak(uint64_t object, const void *pc);

/* The described step is one that does not wait: where it is not possible, there is no such execution. */
void engine_describe_assumption(void);

/* Before engine_create, engine_join: what decides whether threads can be distinguished. `handle`: where the program keeps
 * what it calls the thread, or null. */
void engine_describe_create(uint64_t entry, uint64_t argument);
void engine_describe_join(const void *handle, bool wants_result);
/* The current thread joins or detaches another: that may be done once, by any thread that knows its number. */
void engine_claim_thread(uint32_t number);
/* What happens next depends on more than what threads have found: on the order of their steps, say. */
void engine_depend_on_order(void);
/* The current thread learns something that is different for every thread, like its number. */
void engine_distinguish_threads(void);

/* What the last step on an object found: `seen`, which is what the runtime's own state says, or what the explorer of
 * graphs says, for which a step that changes nothing may come late. */
uint64_t engine_found(uint64_t seen);

/* operation_picks: what the explorer picked; OPERATION_NO_PICK: none. */
uint32_t engine_picked(void);

/* Something that graphs cannot express yet: ends the execution, and with it any hope of "holds". */
void engine_refuse_graph(const char *what, const void *pc);
/* Executions by graph: another thread, *user, has used the object, and nothing orders that before now. It may be over only
 * because of the order in which the steps were run. */
bool engine_is_in_use(uint64_t object, uint32_t *user);

/* Something outside of the program's memory that threads use without a step. Executions by graph: an order of such uses
 * that the graph does not know would be the only one tried (engine_is_unordered). */
struct engine_uses {
    bool any;
    uint32_t next_step[CLOCKS_THREADS_MAX]; /* after the last use, plus one; 0: none */
};
static inline void engine_forget_uses(struct engine_uses *u)
{
    if (u->any)
        *u = (struct engine_uses){0};
}
void engine_note_use(struct engine_uses *u);
/* Has another thread used it, and nothing orders that before now? */
bool engine_is_unordered(const struct engine_uses *u);
/* Such things that are given steps after all, by a number: are they? Everything begins again when they have to be. */
bool engine_knows_outside(uint32_t kind);
void engine_share_outside(uint32_t kind);
bool engine_is_alone(void); /* no thread was created in this execution so far */

/* ---- threads ---- */

/* Starts a thread; its number. */
uint32_t engine_create(void *(*entry)(void *), void *argument, const void *pc);
_Noreturn void engine_exit_thread(void *result);
/* The process ends well: all threads stop, the execution is complete. */
_Noreturn void engine_finish(void);
bool engine_has_ended(uint32_t thread);
void *engine_join(uint32_t thread, const void *pc);
/* Called in each thread right before it ends, while it still is program code (destructors of thread-local
 * data). */
extern void (*engine_at_thread_end)(uint32_t thread);

/* Does `address` lie on the stack of the current thread? */
bool engine_is_own_stack(uint64_t address);
bool engine_is_stack(uint64_t address); /* of any thread */
/* Does `address` lie in the guard below a thread's stack? */
bool engine_is_stack_guard(uint64_t address);

/* The thread asks for a stack of that size. It gets the one that every thread has; when that is exhausted, it
 * is not the program's fault. */
void engine_want_stack(uint32_t thread, size_t size);
bool engine_find_stack(uint64_t thread, void **from, size_t *size); /* false: there is no such thread */
_Noreturn void engine_fail_stack(uint64_t address, const void *pc);

/* Asked when every thread waits forever. Null: nothing is wrong with that, the execution ends there. Else
 * what is wrong, besides, as a clause that follows a comma; may be empty. */
extern const char *(*engine_judge_stuck)(void);

/* The operation of a test that the thread is in, "push"; or "". Null: there is no test. */
extern const char *(*engine_name_operation)(uint32_t thread);

/* ---- errors: end the worker's work, or, with config.all_errors, that of the thread in this execution ---- */

_Noreturn void engine_fail(enum worker_error_kind kind, uint64_t address, const void *pc, const char *format,
                           ...) __attribute__((format(printf, 4, 5)));

/* The running thread waits in vain for plain memory to change: it goes no further, and that is reported when the execution is over,
 * unless another thread writes there before. Then the two race, which is what is wrong. */
_Noreturn void engine_fail_unless_race(enum worker_error_kind kind, const void *pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Of the error that is reported next: another thread is involved, at this place. */
void engine_name_second(uint32_t thread, const void *pc);

/* The same for an error that is seen when the execution is over: returns when others follow. */
void engine_fail_at_end(enum worker_error_kind kind, uint64_t address, const void *pc, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

/* Keeps the error in the shared memory among the findings and forgets it. False: it is the one to stop at. */
bool engine_keep_error(void);

/* Was an error passed over in this execution? */
bool engine_had_error(void);

/* No answer is in sight: ends the worker's work. */
_Noreturn void engine_stop(const void *pc, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The program does what the runtime cannot: ends the execution, of which nothing is known then. */
_Noreturn void engine_give_up(const void *pc, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* main has returned: its frame lay there, and nothing else will in this execution. */
void engine_leave_main(const void *from, size_t size);

/* ---- the heap (heap.c) ---- */

void *heap_allocate(size_t size, size_t alignment, const void *pc);
void heap_free(void *p, const void *pc);
size_t heap_size(const void *p);    /* 0: not a live block */
uint32_t heap_frees(const void *p); /* how often the block around it was freed; 0: or there is none */

/* Which function returned a block decides which one may free it. */
enum heap_kind {
    HEAP_OF_MALLOC,
    HEAP_OF_NEW,
    HEAP_OF_NEW_ARRAY,
    HEAP_OF_ALIGNED_NEW,
    HEAP_OF_ALIGNED_NEW_ARRAY,
};
void heap_note_kind(void *p, enum heap_kind kind); /* malloc's, if this is not called */
/* Fails when a block of another kind begins there. `how`: "free" */
void heap_check_kind(const void *p, enum heap_kind kind, const char *how, const void *pc);
/* Fails when the block that begins there has another size. */
void heap_check_size(const void *p, size_t size, const char *how, const void *pc);

/* A container uses so many bytes of the block that begins there and has `capacity`. 0: the whole block is used again. */
void heap_use(const void *p, size_t capacity, size_t used);

bool heap_contains(const void *p);
void heap_reset(void);
void heap_keep(void); /* what is allocated now belongs to every execution */
/* An execution begins: what was freed wrongly before main is an error of it. */
void heap_report_early(void);

/* For every 16 bytes of the heap: how many of them, from the start, belong to a live block, or one of
 * these. */
enum { HEAP_GRAIN = 16, HEAP_NEVER = 0, HEAP_FREED = 17, HEAP_EDGE = 18 };
static inline bool engine_is_filling(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    size_t k = 0;
    while (k < size && at[k] == at[0])
        k++;
    return size && k == size &&
           (at[0] == HEAP_FILLING || at[0] == STACK_FILLING_GCC || at[0] == STACK_FILLING_CLANG);
}
#define HEAP_BASE UINT64_C(0x6a0000000000)
extern uint64_t heap_room ENGINE_HIDDEN; /* bytes behind HEAP_BASE; 0 before the first allocation */
extern uint8_t *heap_states ENGINE_HIDDEN;

/* The filling of new memory: what else it may be engine_check_plain_read finds out. */
static inline bool heap_may_be_unwritten(uint64_t address)
{
    return address - HEAP_BASE < heap_room && *(const uint8_t *)address == HEAP_FILLING;
}

/* Is none of it freed or outside of a block? True for memory that is not the heap's. */
bool heap_is_usable(uint64_t address, size_t size);
_Noreturn void heap_fail(uint64_t address, size_t size, const void *pc);

enum { NEVER_MAPPED = 4096 }; /* where null pointers lead */

/* The common case of heap_is_usable. */
static inline bool heap_is_usable_quick(uint64_t address, size_t size)
{
    uint64_t offset = address - HEAP_BASE;
    if (offset >= heap_room)
        return address >= NEVER_MAPPED;
    unsigned state = heap_states[offset / HEAP_GRAIN];
    return offset % HEAP_GRAIN + size <= state && state <= HEAP_GRAIN;
}

/* Fails when [address, address + size) touches memory that was freed or never allocated. */
static inline void heap_check(uint64_t address, size_t size, const void *pc)
{
    if (__builtin_expect(heap_is_usable_quick(address, size), true))
        return;
    if (!heap_is_usable(address, size))
        heap_fail(address, size, pc);
}
/* Up to which offset of a lane of the heap (the blocks that one thread allocated) a thread is known to be ordered after
 * the allocation of every block. */
enum { HEAP_LANE_LOG = 26, HEAP_LANES = CLOCKS_THREADS_MAX + 1 };
extern uint64_t heap_known[HEAP_LANES][CLOCKS_THREADS_MAX] ENGINE_HIDDEN;
static inline bool heap_is_known_quick(uint64_t address, uint32_t thread)
{
    uint64_t offset = address - HEAP_BASE;
    return offset >= heap_room || offset < heap_known[offset >> HEAP_LANE_LOG][thread];
}
/* The current thread accesses the heap there. True: nothing orders it after the allocation, *r has the first half. */
bool heap_find_unknown(uint64_t address, struct race *r);

/* So many bytes at the start of the block hold what they should (calloc, realloc of what was written). */
void heap_note_initialised(const void *p, size_t size);
/* Is it for the program to write the bytes there before it reads them? */
bool heap_is_left_to_program(uint64_t address);
void heap_name_allocation(uint64_t address); /* in a report, as what happened before */
/* Where the block at this address was given out after it had been freed; null: it is new. */
const void *heap_filled_again(uint64_t address);
void heap_digest(struct digest *d);                    /* of all blocks */
size_t heap_leaks(uint64_t *address, const void **pc); /* bytes that were not freed */

/* ---- the program's memory (snapshot.c) ---- */

void snapshot_find_code(void);                    /* first: which code is the program's */
void snapshot_take(struct worker_shared *shared); /* after all constructors; also lists the modules */
void snapshot_list_modules(struct worker_shared *shared);
bool snapshot_digest(uint64_t *digest);   /* of globals and heap; false: too much memory */
bool snapshot_is_program(const void *pc); /* is this code of the program (not of the C library)? */

/* What a debugger's helper (tools/plumb-gdb.py) finds in the process: two functions to stop in, and a table that says
 * where things are. They are exported, so that they are found in a stripped library too, and whatever names the
 * program under test uses for its own things. */

/* Called with config.debugger only: an event was noted in the calling thread. */
void plumb_debug_event(void);
/* An error was found, and is in the shared memory. */
void plumb_debug_error(void);

#endif
