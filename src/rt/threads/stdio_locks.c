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

static void lock_stream(const FILE *stream, const void *pc)
{
    struct mutex *m = find_mutex(stream);
    if (m)
        mutex_lock(m, NULL, pc);
}

static int try_stream(const FILE *stream, const void *pc)
{
    struct mutex *m = find_mutex(stream);
    return m ? mutex_trylock(m, pc) : 0;
}

static void unlock_stream(const FILE *stream, const void *pc)
{
    struct mutex *m = find_mutex(stream);
    if (m)
        mutex_unlock(m, pc);
}

REPLACE(void, flockfile, (stream), lock_stream(stream, CALLER), FILE *stream)
REPLACE(int, ftrylockfile, (stream), try_stream(stream, CALLER), FILE *stream)
REPLACE(void, funlockfile, (stream), unlock_stream(stream, CALLER), FILE *stream)
