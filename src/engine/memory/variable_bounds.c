/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/memory/variable_bounds.h"

#include "engine/code/imports.h"
#include "engine/code/modules.h"
#include "engine/memory/snapshot.h"
#include "engine/loop/spin.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>

struct variable_bounds variable_bounds;

static const struct variables *known;
static uint64_t base; /* where the program is loaded */

/* Those that have a symbol, static or each thread's own. */
static struct symbol_group {
    const struct variable *list;
    uint32_t count;
    int64_t widest;
} statics, locals;

/* An access. */
struct range {
    uint64_t from, to;
    const struct variable *crossed; /* and none has it all */
    uint64_t start;                 /* of that one */
};

static struct symbol_group take(const struct variable *list, uint32_t count)
{
    struct symbol_group taken = {list, count, 0};
    for (uint32_t k = 0; k < count; k++)
        taken.widest = (int64_t)list[k].size > taken.widest ? (int64_t)list[k].size : taken.widest;
    return taken;
}

void variable_bounds_prepare(const struct variables *all)
{
    known = all;
    for (size_t k = 0; k < modules_count(); k++)
        if (!*modules_at(k)->name)
            base = modules_at(k)->base;
    statics = take(all->list, all->static_count);
    locals = take(all->list + all->static_count, all->thread_count);
    if (locals.count)
        variable_bounds.thread_size = (uint64_t)-locals.list->at;
    if (!statics.count)
        return;
    const struct variable *first = statics.list, *last = &statics.list[statics.count - 1];
    variable_bounds.from = base + (uint64_t)first->at;
    variable_bounds.size = (uint64_t)(last->at - first->at) + last->size;
}

/* Does the variable hold all of it? Else it may be one that is crossed. */
static bool holds(struct range *r, const struct variable *v, uint64_t start, bool lives)
{
    uint64_t end = start + v->size;
    if (start <= r->from && r->to <= end)
        return true;
    bool begins_there = start <= r->from && r->from < end;
    if (lives && start < r->to && r->from < end && (!r->crossed || begins_there)) {
        r->crossed = v;
        r->start = start;
    }
    return false;
}

/* ------------------------------------------------------------------ variables with symbols */

static uint32_t count_below(const struct symbol_group *s, int64_t at)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (s->list[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Their places count from `origin`. */
static void search_symbols(struct range *r, const struct symbol_group *s, uint64_t origin)
{
    for (uint32_t k = count_below(s, (int64_t)(r->to - origin)); k-- > 0;) {
        const struct variable *v = &s->list[k];
        if (v->at + s->widest <= (int64_t)(r->from - origin))
            break;
        if (holds(r, v, origin + (uint64_t)v->at, true)) {
            r->crossed = NULL;
            return;
        }
    }
}

/* ------------------------------------------------------------------ the stack */

/* The first one of the function that has the code; null: it is not known. */
static const struct variable *find_function(uint64_t code)
{
    uint32_t low = known->static_count + known->thread_count, high = known->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (known->list[middle].function_end <= code)
            low = middle + 1;
        else
            high = middle;
    }
    const struct variable *v = &known->list[low];
    return low < known->count && v->function <= code ? v : NULL;
}

static void search_frame(struct range *r, const struct variable *v, uint64_t frame, uint64_t code)
{
    const struct variable *end = known->list + known->count;
    for (uint64_t function = v->function; v < end && v->function == function; v++)
        if (v->size && holds(r, v, frame + (uint64_t)v->at, v->from <= code && code < v->to)) {
            r->crossed = NULL;
            return;
        }
}

/* Frames are linked by their pointers, as far as all functions keep them. The stub of the last call of the thread has left the
 * first; hooks that come without one are not that call. */
static void search_stack(struct range *r, const struct fiber *f, uint64_t sp, uint64_t frame, uint64_t caller)
{
    uint64_t found;
    if (!fiber_has_on_stack(f, sp))
        return;
    memcpy(&found, (const void *)sp, sizeof found);
    if (found != caller)
        return;
    for (uint64_t code = caller - base - 1; frame > sp && frame % sizeof found == 0;) {
        const struct variable *v = fiber_has_on_stack(f, frame + 8) ? find_function(code) : NULL;
        if (!v)
            return;
        if (r->from < frame) {
            search_frame(r, v, frame, code);
            return;
        }
        sp = frame;
        code = ((const uint64_t *)frame)[1] - base - 1;
        frame = *(const uint64_t *)frame;
    }
}

/* The thread is suspended at a step. */
static void search_other(struct range *r)
{
    for (uint32_t k = 0; k < engine.count; k++) {
        const struct thread *t = &engine.threads[k];
        if (t->has_fiber && t != engine.running && fiber_has_on_stack(&t->fiber, r->from) &&
            engine.alive & thread_bit(k) && t->stub_caller == t->pc)
            search_stack(r, &t->fiber, t->stub_sp, t->stub_frame, t->stub_caller);
    }
}

/* ------------------------------------------------------------------ reporting */

/* The function that was called from there. */
static const char *name_function(const void *pc)
{
    enum { FRAMES = 16 };
    void *frames[FRAMES];
    Dl_info info;
    int count = backtrace(frames, FRAMES), k = 1;
    while (k < count && frames[k] != pc)
        k++;
    if (k < count && dladdr(frames[k - 1], &info) && info.dli_sname)
        return info.dli_sname;
    return imports_last ? imports_last->name : "a function of a library";
}

static _Noreturn void fail(const struct range *r, bool writes, const void *pc)
{
    const struct variable *v = r->crossed;
    unsigned long long size = r->to - r->from, there = r->from - r->start;
    const char *does = writes ? "writes" : "reads";
    if (r->from < r->start)
        engine_fail(WORKER_ERROR_OUT_OF_BOUNDS, r->from, pc, "%s %s %llu bytes that begin %llu before %s",
                    name_function(pc), does, size, (unsigned long long)(r->start - r->from), v->name);
    if (there)
        engine_fail(WORKER_ERROR_OUT_OF_BOUNDS, r->from, pc,
                    "%s %s %llu bytes from byte %llu of %s on, which has %llu", name_function(pc), does, size,
                    there, v->name, (unsigned long long)v->size);
    engine_fail(WORKER_ERROR_OUT_OF_BOUNDS, r->from, pc, "%s %s %llu bytes of %s, which has %llu",
                name_function(pc), does, size, v->name, (unsigned long long)v->size);
}

void variable_bounds_search(uint64_t address, size_t size, bool writes, const void *pc)
{
    struct range r = {address, address + size < address ? UINT64_MAX : address + size, NULL, 0};
    if (!known || !size)
        return;
    if (variable_bounds_before_thread(address) - 1 < variable_bounds.thread_size)
        search_symbols(&r, &locals, (uint64_t)__builtin_thread_pointer());
    else if (!fiber_is_near_stacks(address))
        search_symbols(&r, &statics, base);
    else if (!fiber_has_on_stack(&engine.running->fiber, address))
        search_other(&r);
    else if (spin_watch.caller == (uint64_t)pc)
        search_stack(&r, &engine.running->fiber, spin_watch.sp, spin_watch.frame, spin_watch.caller);
    if (r.crossed)
        fail(&r, writes, pc);
}
