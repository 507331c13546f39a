/* SPDX-License-Identifier: Apache-2.0 */
/* Ordering points: annotations in the bodies of functions. */
#include "rt/calls/call_parts.h"

#include "engine/engine_state.h"
#include "rt/hook.h"

#include <string.h>

/* The last operation that a thread kept under a label. */
enum { LABELS_MOST = 32 };
struct potential {
    const char *label;
    uint32_t access;
};
static struct {
    uint32_t count;
    struct potential list[LABELS_MOST];
} potentials[CLOCKS_THREADS_MAX];

void points_forget(void)
{
    for (uint32_t t = 0; t < CLOCKS_THREADS_MAX; t++)
        potentials[t].count = 0;
}

static bool takes_label(const struct call *c, const char *label)
{
    for (const char *const *p = c->interface->points; p && *p; p++)
        if (strcmp(*p, label) == 0)
            return true;
    return false;
}

/* ------------------------------------------------------------------ which operation */

static uint32_t find_operation(const struct plumb_ordering_point *point)
{
    uint32_t access = engine_last_access();
    if (access == UINT32_MAX)
        calls_refuse(&point->place,
                     "the ordering point has no operation: this thread has done nothing atomic "
                     "before it, and used no lock");
    return access;
}

static struct potential *find_potential(const char *label)
{
    for (uint32_t k = 0; k < potentials[engine.current].count; k++)
        if (strcmp(potentials[engine.current].list[k].label, label) == 0)
            return &potentials[engine.current].list[k];
    return NULL;
}

static const struct call *find_outermost(void)
{
    const struct call *c, *found = NULL;
    for (uint32_t k = 0; (c = calls_find_open(k)); k++)
        found = c;
    return found;
}

static _Noreturn void refuse_early(const struct plumb_ordering_point *point, const struct call *c)
{
    calls_refuse(&point->place,
                 "the ordering point is an operation before the call: %s has done nothing atomic so far, and "
                 "used no lock",
                 c->interface->function ? c->interface->function : c->interface->name);
}

static void keep_potential(const struct plumb_ordering_point *point)
{
    struct potential *p = find_potential(point->label);
    uint32_t *count = &potentials[engine.current].count;
    const struct call *outermost = find_outermost();
    if (!outermost)
        return; /* a helper that is called by others, too */
    uint32_t access = find_operation(point);
    if (access < outermost->begin)
        refuse_early(point, outermost);
    if (!p && *count == LABELS_MOST) {
        calls_lose();
        return;
    }
    if (!p)
        p = &potentials[engine.current].list[(*count)++];
    *p = (struct potential){point->label, access};
}

/* ------------------------------------------------------------------ points of calls */

static void add_point(struct call *c, uint32_t access, const struct plumb_ordering_point *point)
{
    if (access < c->begin)
        refuse_early(point, c);
    for (uint32_t k = 0; k < c->point_count; k++)
        if (c->points[k] == access)
            return;
    if (c->point_count < CALL_POINTS)
        c->points[c->point_count++] = access;
    else
        calls_lose();
    engine_note_mark();
}

/* A point belongs to every call that the thread is in and whose set has its label. */
static void add_to_calls(const struct plumb_ordering_point *point, const struct potential *kept)
{
    struct call *c;
    for (uint32_t k = 0; (c = calls_find_open(k)); k++) {
        if (!takes_label(c, point->label) || (kept && kept->access < c->begin))
            continue;
        add_point(c, kept ? kept->access : find_operation(point), point);
    }
}

static void check_potential(const struct plumb_ordering_point *point)
{
    const struct potential *p = find_potential(point->potential);
    if (p)
        add_to_calls(point, p);
}

/* Of the innermost call that takes the label, or, if none does, of the innermost. */
static void clear_points(const struct plumb_ordering_point *point)
{
    struct call *c, *found = calls_find_open(0);
    for (uint32_t k = 0; point->label && (c = calls_find_open(k)); k++)
        if (takes_label(c, point->label)) {
            found = c;
            break;
        }
    if (!found || !found->point_count)
        return;
    found->point_count = 0;
    engine_note_mark();
}

static void mark(const struct plumb_ordering_point *point)
{
    switch (point->kind) {
    case PLUMB_POINT_POTENTIAL: keep_potential(point); break;
    case PLUMB_POINT_CHECK: check_potential(point); break;
    case PLUMB_POINT_LABEL_CHECK: add_to_calls(point, NULL); break;
    case PLUMB_POINT_CLEAR: clear_points(point); break;
    }
}

/* ------------------------------------------------------------------ what annotations become */

EXPORT void plumb_quiet_at(const struct plumb_place *place, const char *what)
{
    if (calls_are_quiet())
        calls_code.depth++; /* an annotated function that a specification calls */
    else if (engine_active)
        calls_become_quiet(place, what, NULL);
}

EXPORT void plumb_quiet(void)
{
    plumb_quiet_at(NULL, NULL);
}

EXPORT const void *plumb_object(const void *object)
{
    if (calls_are_quiet() && calls_code.depth > 1)
        calls_code.depth--;
    else if (calls_are_quiet())
        calls_become_active();
    return object;
}

EXPORT void plumb_point(const struct plumb_ordering_point *point, int condition)
{
    uint64_t frame = (uint64_t)__builtin_frame_address(0);
    if (!calls_are_quiet())
        return;
    if (calls_code.depth > 1) {
        calls_code.depth--;
        return;
    }
    calls_drop_below(frame);
    if (condition)
        mark(point);
    calls_become_active();
}
