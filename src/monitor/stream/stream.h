/* SPDX-License-Identifier: Apache-2.0 */
/* Decides a history while it happens, event by event, in memory that does not grow with its length as long as every
 * object (every key of a map, a set, ...) is at rest now and then. docs/internals/monitor/streams.md gives the argument.
 *
 * The stream knows names from `names`, a history without operations that the reader of events fills in. */
#ifndef MONITOR_STREAM_H
#define MONITOR_STREAM_H

#include "history/events.h"
#include "monitor/monitor.h"

struct stream;

struct stream_settings {
    const struct plumb_spec_options *options;
    struct budget *budget; /* time of the whole; memory of what is kept, and of each search */
};

struct stream_stats {
    uint64_t events, operations; /* operations: called */
    uint32_t open;               /* operations */
    uint32_t parts;              /* objects or keys that are not in their initial state */
    size_t kept;                 /* operations that are not decided for good */
    size_t bytes;                /* about what all that takes */
};

struct stream *stream_create(struct history *names, const struct stream_settings *settings);
void stream_destroy(struct stream *s);

/* Before the first event of the object. An object whose first operation only the extended half of `spec` has follows that. */
void stream_set_spec(struct stream *s, uint32_t object, const struct plumb_spec *spec);
/* What the first `count` objects follow. */
void stream_get_specs(const struct stream *s, const struct plumb_spec **specs, size_t count);

/* Takes the next event. False: the input is wrong, and *d says how. */
bool stream_event(struct stream *s, const struct history_event *e, struct diagnostic *d);

/* All that comes later has this stamp or a greater one. */
void stream_advance(struct stream *s, int64_t time);

/* Looks at everything that returned since the last time: for a moment at which nothing else comes. */
void stream_look(struct stream *s);

/* There is nothing more to be learnt: a violation was found, or time is up. */
bool stream_is_over(const struct stream *s);

struct stream_stats stream_stats(const struct stream *s);

/* The verdict over all events; `ended`: there are no more of them, otherwise it can only be inconclusive
 * or violated. Of a violated stream the operations that show it are put into `names`, bound. */
void stream_finish(struct stream *s, bool ended, struct monitor_result *out);

/* Of a stream that is violated: the state from which the operations in `names` are judged, as a specification that
 * starts there; it belongs to the stream. */
const struct plumb_spec *stream_start_spec(const struct stream *s);

#endif
