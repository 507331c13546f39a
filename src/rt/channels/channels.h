/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes, pairs of sockets, event counters, timers and epoll instances that an execution has created: docs/internals/engine/channels.md.
 * The kernel has their contents. It is asked by calls that do not wait, one at a time: a thread is inside of the gate of the channel then,
 * and one that has to wait does so there until others have changed it. */
#ifndef RT_CHANNELS_H
#define RT_CHANNELS_H

#include "rt/threads/gates.h"

#include <poll.h>
#include <stdint.h>

enum channel_kind {
    CHANNEL_PIPE,
    CHANNEL_PAIR,    /* two sockets that are connected */
    CHANNEL_COUNTER, /* eventfd */
    CHANNEL_TIMER,   /* timerfd; for the kernel a counter of expirations */
    CHANNEL_WATCH,   /* epoll */
};

enum { CHANNELS_MAX = 64, CHANNEL_DESCRIPTORS = 512 };

/* Both ends of a pipe or pair are one. */
struct channel {
    enum channel_kind kind;
    uint32_t group;      /* that of the gate: channels that are waited for together have the same one */
    bool watches_others; /* epoll: descriptors that are no channels are in it */
};

/* --- descriptors ------------------------------------------------------------------------------------ */

/* The channel that a descriptor is for, or was when it was open; null: none. */
struct channel *channel_find(int fd, const void *pc);
bool channel_is_known(int fd); /* channel_find may find one; below CHANNEL_DESCRIPTORS */
/* Which thread closes it is known inside of the gate only. */
bool channel_is_open(int fd);
int channel_descriptor(const struct channel *c); /* any that is open; -1: none */
uint64_t channel_bit(const struct channel *c);
struct channel *channel_at(uint32_t number);

struct channel *channel_make(enum channel_kind kind, const void *pc);
/* Null: the descriptor is for something else from now on. */
void channel_bind(int fd, struct channel *c, const void *pc);
/* It is closed: before the step that orders numbers, and after the call. The thread is inside of the gate. */
void channel_begin_closing(int fd, const void *pc);
void channel_unbind(int fd);

/* Ends the execution where a function of that name is not supported for channels. */
void channel_refuse_call(const char *name, const void *pc);

/* --- gates ------------------------------------------------------------------------------------------ */

/* They are used by one call from now on. */
void channel_join(struct channel *a, struct channel *b, const void *pc);

void channel_enter(struct channel *c, const void *pc);
void channel_enter_by(int fd, struct channel *c, const void *pc); /* which channel_find has found */
/* What a call has done. In vain: it found that it would have to wait, and a loop that does nothing else comes back to the same state. */
enum channel_effect { CHANNEL_LOOKED_IN_VAIN, CHANNEL_LOOKED, CHANNEL_CHANGED };
void channel_leave(struct channel *c, enum channel_effect effect, const void *pc);

void channel_stir(struct channel *c); /* all that wait there look again, when the caller leaves */
void channel_wake(struct channel *c, const void *pc); /* those whose wish is met, before the caller leaves */

/* What a thread waits for: that poll finds one of these ready, or that others have changed something. */
struct channel_wish {
    struct pollfd *files; /* the waiting thread's own */
    nfds_t count;
    bool any_change;
};
/* Waits inside. False: the limit expired. */
bool channel_wait(struct channel *c, struct channel_wish wish, const struct deadline *limit, const void *pc);

/* --- calls on one descriptor ------------------------------------------------------------------------ */

struct channel_use {
    struct channel *channel; /* null: the descriptor is none of a channel */
    const char *name;
    int fd;
    short events;
    bool waits, has_nonblocking;
    size_t done; /* bytes of earlier attempts */
    const void *pc;
};

/* begin; do the call while again(result, how many bytes it is to do in all); end. The call must not wait, which is arranged between begin and
 * end. Nothing happens where the descriptor is none of a channel. */
bool channel_begin(struct channel_use *u, const char *name, int fd, short events, bool waits, const void *pc);
bool channel_again(struct channel_use *u, ssize_t result, size_t size);
void channel_end(struct channel_use *u, ssize_t result);

/* --- timers ----------------------------------------------------------------------------------------- */

/* Those of a set of channels, as bits. They fire if time has passed, or with `may_fire` if it may have. */
bool channel_timers_pass(uint64_t set, bool may_fire);
/* When the next one fires; null: none is armed. */
const struct deadline *channel_timers_limit(uint64_t set, struct timespec *moment, struct deadline *limit);

#endif
