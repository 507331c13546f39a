/* SPDX-License-Identifier: Apache-2.0 */
/* A state of a run from which nothing returns: all that open operations can still do is followed, state by state. */
#include "prove/prove_buffers.h"
#include "prove/prove_harness.h"
#include "prove/hung/prove_hung.h"
#include "prove/prove_image.h"

enum { STATES_MOST = 1 << 16 };

static struct prove_images images;
static struct prove_form form;
static struct prove_names names;

/* False: it returned, or that is not known. */
static bool add_next(struct prove_result r)
{
    if (r.outcome == PROVE_BLOCKED)
        return true;
    if (r.outcome != PROVE_FINE || r.has_returned || prove_form_make(&form, &names) != PROVE_FINE)
        return false;
    prove_images_add(&images, &form);
    return true;
}

static void load(uint32_t image)
{
    prove_images_get(&images, image, &form);
    prove_form_read(&form, prove_dialects);
}

/* The thread's next step, in one of its ways; `ways` is how many there are. */
static bool follow_way(uint32_t image, unsigned thread, unsigned way, unsigned *ways)
{
    uint32_t list[PROVE_BLOCKS_MAX];
    load(image);
    unsigned waiters = prove_waiters(thread, list);
    prove.wakes = waiters ? list[way] : UINT32_MAX;
    *ways = waiters;
    if (!waiters)
        *ways = 1 + prove_choices(thread, list);
    return add_next(prove_step(thread, way && !waiters ? &prove.state.blocks[list[way - 1]] : NULL));
}

static bool follow_thread(uint32_t image, unsigned thread)
{
    unsigned ways = 1;
    bool fine = true;
    load(image);
    if (!prove.state.threads[thread].is_open || prove_is_waiting(thread))
        return true;
    if (prove_buffer_of(thread)->count)
        fine = add_next(prove_buffer_step(thread));
    for (unsigned way = 0; way < ways && fine; way++)
        fine = follow_way(image, thread, way, &ways);
    return fine;
}

/* What it does instead of returning. */
static void describe(unsigned thread)
{
    const char *name = prove_operations[prove.state.threads[thread].op].part->name;
    bool all_wait = true, is_alone = true;
    for (unsigned t = 0; t < prove.threads; t++) {
        bool is_open = prove.state.threads[t].is_open;
        all_wait &= !is_open || prove_is_blocked(t);
        is_alone &= !is_open || t == thread;
    }
    const char *what = !all_wait                  ? "goes round and round"
                       : prove_is_waiting(thread) ? "waits for a signal"
                                                  : "waits for a mutex";
    prove_note(PROVE_FAULT, "%s%s never returns, although %s: it %s", all_wait ? "deadlock: " : "", name,
               is_alone ? "no other operation is open" : "it may, and no other open one does", what);
}

bool prove_never_returns(unsigned thread)
{
    if (prove_form_make(&form, &names) != PROVE_FINE)
        return false;
    unsigned place = names.place[thread];
    prove_images_clear(&images);
    prove_images_add(&images, &form);
    bool fine = true;
    for (uint32_t i = 0; fine && i < intern_count(&images.tuples); i++)
        for (unsigned t = 0; t < prove.threads && fine; t++)
            fine = intern_count(&images.tuples) < STATES_MOST && follow_thread(i, t);
    load(0);
    if (fine)
        describe(place);
    return fine;
}
