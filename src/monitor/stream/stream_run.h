/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of a stream: stream.c takes events, stream_judge.c decides parts. */
#ifndef MONITOR_STREAM_RUN_H
#define MONITOR_STREAM_RUN_H

#include "monitor/stream/stream.h"
#include "monitor/stream/stream_part.h"

struct stream_thread {
    uint32_t part;  /* of the open operation */
    uint32_t index; /* of it in the part */
    uint32_t object;
    uint64_t line; /* of the call; 0: nothing is open */
    uint16_t name;
    int64_t last_return;
    bool has_returned;
};

struct stream_object {
    const struct plumb_spec *spec;
    struct hash_map parts; /* by key */
    bool has_begun;
};

struct stream {
    struct history *names;
    struct stream_settings settings;
    struct spec_binder *binder;
    VEC(struct stream_thread) threads;
    VEC(struct stream_object) objects;
    VEC(struct stream_part) parts;
    VEC(uint32_t) unused, resting, touched; /* parts */
    struct stream_stats stats;
    int64_t now;
    int64_t tie_time; /* a thread returned and called at this stamp */
    uint32_t tie_thread;
    bool has_tie, has_events;
    char *limit;
    struct monitor_result violation;
    struct stream_resumed start; /* of the violation, unless it starts from the initial state */
    const struct plumb_spec *start_spec;
    bool violated;
};

/* Remembers why the verdict is inconclusive; the first reason counts. */
void stream_set_limit(struct stream *s, const char *limit);

/* The part is not followed any more: what it does is not known from here on. `why` null: memory. */
void stream_lose_part(struct stream *s, struct stream_part *p, const char *why);

/* Judges what is kept of the part; open operations are pending. INCONCLUSIVE only counts when it is `final`. */
enum verdict stream_judge_part(struct stream *s, struct stream_part *p, bool final);

/* ... and forgets what cannot matter any more. What returned did so before all that is called from now on. */
void stream_look_at_part(struct stream *s, struct stream_part *p);

/* Are there so many operations that it is worth looking at them? */
bool stream_part_is_long(const struct stream_part *p);

/* All parts that are at rest or have become long; time has moved on since. */
void stream_settle(struct stream *s);

#endif
