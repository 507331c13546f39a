/* SPDX-License-Identifier: Apache-2.0 */
/* flockfile: the C library would block the process when another thread of the program holds the stream. */
#include "rt/threads/locks.h"
#include "rt/start.h"

#include <errno.h>
#include <stdio.h>

enum { STREAMS = 64 };

static struct {
    const FILE *stream;
    pthread_mutex_t mutex;
} streams[STREAMS];
static unsigned stream_count; /* of this execution */

BEFORE_EACH_EXECUTION(stdio_locks_reset)
{
    stream_count = 0;
}

/* NULL: too many streams are locked by hand; then this is no lock at all. */
static struct mutex *find_mutex(const FILE *stream)
{
    for (unsigned k = 0; k < stream_count; k++)
        if (streams[k].stream == stream)
            return (struct mutex *)&streams[k].mutex;
    if (stream_count == STREAMS)
        return NULL;
    streams[stream_count].stream = stream;
    struct mutex *m = (struct mutex *)&streams[stream_count++].mutex;
    real.memset(m, 0, sizeof(pthread_mutex_t)); /* the runtime's own: it begins with the first use */
    m->kind = PTHREAD_MUTEX_RECURSIVE;
    return m;
}

EXPORT void flockfile(FILE *stream)
{
    struct mutex *m = engine_active ? find_mutex(stream) : NULL;
    if (m)
        mutex_lock(m, NULL, CALLER);
    else if (!engine_active)
        NEXT(flockfile)(stream);
}

EXPORT int ftrylockfile(FILE *stream)
{
    struct mutex *m = engine_active ? find_mutex(stream) : NULL;
    if (m)
        return mutex_trylock(m, CALLER);
    return engine_active ? 0 : NEXT(ftrylockfile)(stream);
}

EXPORT void funlockfile(FILE *stream)
{
    struct mutex *m = engine_active ? find_mutex(stream) : NULL;
    if (m)
        mutex_unlock(m, CALLER);
    else if (!engine_active)
        NEXT(funlockfile)(stream);
}
