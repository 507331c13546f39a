/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/channels/channels.h"

#include "rt/start.h"
#include "rt/system/outside.h"

#include <fcntl.h>
#include <unistd.h>

static struct channel channels[CHANNELS_MAX];
static uint32_t channel_count;

static struct descriptor {
    struct channel
        *channel; /* stays when it is closed, so that uses that come too late are ordered as well */
    bool is_open;
    struct engine_uses uses, changes, closings;
} descriptors[CHANNEL_DESCRIPTORS];
static int descriptor_end; /* those from here on were not used */

/* One for each group; those that wait are in the order in which they came. */
static struct waiter {
    pthread_cond_t place;
    struct channel_wish wish;
    bool is_waiting, is_woken;
} channel_waiters[CHANNELS_MAX][CLOCKS_THREADS_MAX];
static uint32_t waiter_ends[CHANNELS_MAX];
static bool is_stirred[CHANNELS_MAX];
static struct gate channel_gates[CHANNELS_MAX];

BEFORE_EACH_EXECUTION(channels_reset)
{
    for (int fd = 0; fd < descriptor_end; fd++) {
        struct descriptor *d = &descriptors[fd];
        if (d->channel && d->is_open)
            NEXT(close)(fd);
        engine_forget_uses(&d->uses);
        engine_forget_uses(&d->changes);
        engine_forget_uses(&d->closings);
        d->channel = NULL;
    }
    for (uint32_t g = 0; g < channel_count; g++) {
        for (uint32_t k = 0; k < waiter_ends[g]; k++)
            channel_waiters[g][k].is_waiting = false;
        waiter_ends[g] = 0;
        is_stirred[g] = false;
    }
    descriptor_end = 0;
    channel_count = 0;
}

/* ------------------------------------------------------------------ descriptors */

static _Noreturn void refuse_number(const void *pc)
{
    engine_give_up(pc, "a descriptor that another thread may open or replace at the same time");
}

/* Which channel a number is for is no part of a graph. It is the same in all of them, or the program is one that uses a number while
 * another thread makes it mean something else. */
static void note_use(int fd, bool changes, const void *pc)
{
    struct descriptor *d = &descriptors[fd];
    descriptor_end = fd < descriptor_end ? descriptor_end : fd + 1;
    if (engine_is_unordered(&d->changes) || (changes && engine_is_unordered(&d->uses)))
        refuse_number(pc);
    engine_note_use(changes ? &d->changes : &d->uses);
}

/* The number has been given to another file since it was closed. */
static bool is_reused(int fd, const void *pc)
{
    struct descriptor *d = &descriptors[fd];
    if (!d->channel || d->is_open || NEXT(fcntl)(fd, F_GETFD) < 0)
        return false;
    if (engine_is_unordered(&d->closings))
        refuse_number(pc);
    return true;
}

struct channel *channel_find(int fd, const void *pc)
{
    if (!engine_active || fd < 0 || fd >= CHANNEL_DESCRIPTORS)
        return NULL;
    note_use(fd, false, pc);
    if (is_reused(fd, pc))
        descriptors[fd].channel = NULL;
    return descriptors[fd].channel;
}

bool channel_is_known(int fd)
{
    return descriptors[fd].channel;
}

bool channel_is_open(int fd)
{
    return fd >= 0 && fd < CHANNEL_DESCRIPTORS && descriptors[fd].channel && descriptors[fd].is_open;
}

int channel_descriptor(const struct channel *c)
{
    for (int fd = 0; fd < descriptor_end; fd++)
        if (descriptors[fd].channel == c && descriptors[fd].is_open)
            return fd;
    return -1;
}

void channel_bind(int fd, struct channel *c, const void *pc)
{
    if (fd < 0 || (!c && (fd >= CHANNEL_DESCRIPTORS || !descriptors[fd].channel)))
        return;
    if (fd <= STDERR_FILENO || fd >= CHANNEL_DESCRIPTORS)
        engine_give_up(pc, "a pipe or the like with the descriptor %d", fd);
    note_use(fd, true, pc);
    descriptors[fd].channel = c;
    descriptors[fd].is_open = c != NULL;
}

static bool is_waited_for(int fd, uint32_t group)
{
    for (uint32_t k = 0; k < waiter_ends[group]; k++)
        for (nfds_t f = 0; channel_waiters[group][k].is_waiting && f < channel_waiters[group][k].wish.count;
             f++)
            if (channel_waiters[group][k].wish.files[f].fd == fd)
                return true;
    return false;
}

void channel_begin_closing(int fd, const void *pc)
{
    if (!channel_is_open(fd))
        return;
    if (is_waited_for(fd, descriptors[fd].channel->group))
        engine_give_up(pc, "a descriptor that is closed while a thread waits for it");
    engine_note_use(&descriptors[fd].closings);
}

void channel_unbind(int fd)
{
    descriptors[fd].is_open = false;
}

/* ------------------------------------------------------------------ channels */

uint64_t channel_bit(const struct channel *c)
{
    return UINT64_C(1) << (c - channels);
}

struct channel *channel_at(uint32_t number)
{
    return &channels[number];
}

/* That the channel of a group's number is in another group from the beginning. */
static uint32_t fact_of(uint32_t group, uint32_t older)
{
    return OUTSIDE_END + group * CHANNELS_MAX + older;
}

/* In schedules all are one group. */
static uint32_t first_group(uint32_t number)
{
    for (uint32_t k = 0; k < number; k++)
        if (!engine_graph_mode || engine_knows_outside(fact_of(number, k)))
            return channels[k].group;
    return number;
}

struct channel *channel_make(enum channel_kind kind, const void *pc)
{
    if (channel_count == CHANNELS_MAX)
        engine_give_up(pc, "more than %d pipes and the like", CHANNELS_MAX);
    uint32_t number = channel_count++;
    channels[number] = (struct channel){.kind = kind, .group = first_group(number)};
    return &channels[number];
}

/* No thread may have used the one gate while this one uses the other: everything begins again, with one gate from the beginning. */
void channel_join(struct channel *a, struct channel *b, const void *pc)
{
    uint32_t group = a->group > b->group ? a->group : b->group;
    uint32_t older = a->group > b->group ? b->group : a->group;
    if (group == older)
        return;
    if (!engine_is_alone()) {
        engine_share_outside(fact_of(group, older));
        engine_give_up(pc, "pipes or the like that are waited for together");
    }
    for (uint32_t k = 0; k < channel_count; k++)
        if (channels[k].group == group)
            channels[k].group = older;
}

/* ------------------------------------------------------------------ gates */

void channel_enter(struct channel *c, const void *pc)
{
    gate_enter_to_look(&channel_gates[c->group], pc);
}

/* The number may have got another meaning before the thread was inside. */
void channel_enter_by(int fd, struct channel *c, const void *pc)
{
    channel_enter(c, pc);
    if (descriptors[fd].channel != c || is_reused(fd, pc))
        refuse_number(pc);
}

static bool is_ready(const struct waiter *w)
{
    return w->wish.any_change || NEXT(poll)(w->wish.files, w->wish.count, 0) != 0;
}

void channel_wake(struct channel *c, const void *pc)
{
    uint32_t group = c->group;
    for (uint32_t k = 0; k < waiter_ends[group]; k++) {
        struct waiter *w = &channel_waiters[group][k];
        if (!w->is_waiting || w->is_woken || !is_ready(w))
            continue;
        w->is_woken = true;
        gate_wake_at(&w->place, pc);
    }
}

void channel_stir(struct channel *c)
{
    for (uint32_t k = 0; k < waiter_ends[c->group]; k++)
        channel_waiters[c->group][k].wish.any_change = true;
    is_stirred[c->group] = true;
    engine_note_effect();
}

void channel_leave(struct channel *c, enum channel_effect effect, const void *pc)
{
    if (effect != CHANNEL_LOOKED_IN_VAIN)
        engine_note_effect();
    if (effect == CHANNEL_CHANGED || is_stirred[c->group])
        channel_wake(c, pc);
    is_stirred[c->group] = false;
    gate_leave(&channel_gates[c->group], false, pc);
}

static struct waiter *find_place(uint32_t group)
{
    uint32_t k = 0;
    while (k < waiter_ends[group] && channel_waiters[group][k].is_waiting)
        k++;
    if (k == waiter_ends[group])
        waiter_ends[group]++;
    return &channel_waiters[group][k];
}

bool channel_wait(struct channel *c, struct channel_wish wish, const struct deadline *limit, const void *pc)
{
    struct waiter *w = find_place(c->group);
    w->wish = wish;
    w->is_waiting = true;
    w->is_woken = false;
    bool in_time = gate_wait_at(&channel_gates[c->group], &w->place, limit, pc);
    w->is_waiting = false;
    return in_time;
}
