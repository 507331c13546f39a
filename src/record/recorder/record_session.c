/* SPDX-License-Identifier: Apache-2.0 */
/* Beginning and end of recordings, and the threads that take part. */
#include "record/recorder/record_session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct session session = {.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
__thread struct ring *session_own __attribute__((tls_model("initial-exec"), visibility("hidden")));

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- threads ---- */

/* A thread ends: the flusher frees its ring when it is empty, unless the recording has ended. */
static void leave(void *argument)
{
    struct ring *ring = argument;
    session_own = NULL;
    pthread_mutex_lock(&session.lock);
    ring->has_ended = true;
    bool is_orphan = ring->is_orphan;
    pthread_mutex_unlock(&session.lock);
    if (is_orphan)
        record_ring_destroy(ring);
}

static void set_up_ring(struct ring *ring)
{
    ring->session = atomic_load(&session.number);
    ring->stamps = session.stamps;
    ring->fences = !session.has_barrier;
    ring->number = ++session.threads;
    atomic_store(&ring->last, stamp_call(session.stamps));
    ring->following = session.rings;
    session.rings = ring;
}

struct ring *session_join(struct ring *before)
{
    struct ring *ring = record_ring_create();
    if (before) /* of a recording that has ended */
        record_ring_destroy(before);
    pthread_setspecific(key, ring);
    if (!ring) {
        session_fail(ENOMEM);
        return NULL;
    }
    pthread_mutex_lock(&session.lock);
    bool is_running = atomic_load(&session.number) != 0;
    ring->is_orphan = !is_running;
    ring->session = UINT32_MAX; /* of no recording */
    if (is_running)
        set_up_ring(ring);
    pthread_mutex_unlock(&session.lock);
    return ring;
}

void session_fail(int error)
{
    pthread_mutex_lock(&session.lock);
    if (!session.error)
        session.error = error;
    atomic_store(&session.number, 0);
    pthread_mutex_unlock(&session.lock);
    session_kick();
}

/* ---- children of fork: nothing is recorded there ---- */

static void lock_for_fork(void)
{
    pthread_mutex_lock(&session.lock);
}

static void unlock_in_parent(void)
{
    pthread_mutex_unlock(&session.lock);
}

static void end_in_child(void)
{
    atomic_store(&session.number, 0);
    if (session.is_open)
        close(session.writer.descriptor);
    session.is_open = false;
    for (struct ring *ring = session.rings; ring; ring = ring->following)
        ring->is_orphan = true;
    session.rings = NULL;
    pthread_mutex_unlock(&session.lock);
}

/* ---- beginning ---- */

static void close_at_exit(void)
{
    plumb_record_close();
}

static void prepare(void)
{
    pthread_key_create(&key, leave);
    pthread_atfork(lock_for_fork, unlock_in_parent, end_in_child);
    atexit(close_at_exit);
}

/* Signals of the program are for its own threads. A closed pipe ends it, as it ends every program that writes to one. */
static int start_flusher(void)
{
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGPIPE);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&session.flusher, NULL, session_write, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* 0, or errno. */
static int begin(int descriptor)
{
    session.error = 0;
    session.is_closing = session.has_ended = false;
    session.flushed = 0;
    session.threads = 0;
    if (!session.why[0]) /* once in a process */
        session.stamps = stamps_choose(false, session.why, sizeof session.why);
    session.has_barrier = session_register_barrier();
    if (!block_start(&session.writer, descriptor))
        return session.writer.error;
    block_mark(&session.writer, stamp_call(session.stamps), "stamps", session.why);
    block_write(&session.writer, 0);
    int error = session.writer.error ? session.writer.error : start_flusher();
    if (!error)
        atomic_store(&session.number, ++session.sessions);
    return error;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* One at a time. */
static bool reserve(void)
{
    pthread_once(&once, prepare);
    pthread_mutex_lock(&session.lock);
    bool is_free = !session.is_open;
    session.is_open = true;
    pthread_mutex_unlock(&session.lock);
    return is_free;
}

/* 0, or -1 when nothing is reserved any more. */
static int begin_or_leave(int descriptor)
{
    int error = descriptor < 0 ? errno : begin(descriptor);
    if (!error)
        return 0;
    block_free(&session.writer);
    session.is_open = false;
    return fail(error);
}

int plumb_record_open_descriptor(int descriptor)
{
    return reserve() ? begin_or_leave(descriptor) : fail(EBUSY);
}

/* Standard output is the recording; what the program prints goes to standard error. */
static int take_output(void)
{
    int descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (descriptor >= 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    return descriptor;
}

int plumb_record_open(const char *file)
{
    if (!file)
        file = getenv("PLUMB_RECORD");
    if (!file || !*file)
        return 0;
    if (!reserve())
        return fail(EBUSY);
    int descriptor =
        strcmp(file, "-") ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : take_output();
    int result = begin_or_leave(descriptor), error = errno;
    if (result != 0 && descriptor >= 0)
        close(descriptor);
    return result == 0 ? 0 : fail(error);
}

const char *plumb_record_stamps(void)
{
    return session.why;
}

/* ---- end ---- */

int plumb_record_flush(void)
{
    uint64_t now = stamp_return(session.stamps);
    pthread_mutex_lock(&session.lock);
    bool is_open = session.is_open;
    session_kick();
    while (is_open && !session.has_ended && session.flushed <= now)
        pthread_cond_wait(&session.done, &session.lock);
    int error = session.error;
    pthread_mutex_unlock(&session.lock);
    return error ? fail(error) : 0;
}

/* Is it for this caller to end it? */
static bool begin_closing(void)
{
    pthread_mutex_lock(&session.lock);
    bool is_mine = session.is_open && !session.is_closing;
    if (is_mine) {
        session.is_closing = true;
        atomic_store(&session.number, 0);
    }
    pthread_mutex_unlock(&session.lock);
    return is_mine;
}

int plumb_record_close(void)
{
    if (!begin_closing())
        return 0;
    session_kick();
    pthread_join(session.flusher, NULL);
    if (close(session.writer.descriptor) != 0 && !session.error)
        session.error = errno;
    block_free(&session.writer);
    int error = session.error;
    session.is_open = false;
    return error ? fail(error) : 0;
}
