/* SPDX-License-Identifier: Apache-2.0 */
/* The flusher: takes what threads have published, in the order of stamps, as far as nothing smaller can follow (docs/internals/native/recording.md). */
#include "record/recorder/record_session.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    PAUSE_LEAST = 1000000,
    PAUSE_MOST = 16000000,
    CLOSING_TICKS = 5000
}; /* nanoseconds; ticks of a millisecond */

/* ---- waiting ---- */

void session_kick(void)
{
    atomic_fetch_add(&session.kicks, 1);
    syscall(SYS_futex, &session.kicks, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void pause_for(uint32_t kicks, long nanoseconds)
{
    struct timespec timeout = {.tv_nsec = nanoseconds};
    syscall(SYS_futex, &session.kicks, FUTEX_WAIT_PRIVATE, kicks, &timeout, NULL, 0);
}

bool session_register_barrier(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void session_barrier(void)
{
    if (session.has_barrier)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    atomic_thread_fence(memory_order_seq_cst);
}

/* ---- merging ---- */

static bool has_next(const struct ring *ring, uint64_t bound)
{
    return ring->taken < ring->available && ring->next < bound;
}

/* The ring whose next event is the first. It may go on until `*until`. */
static struct ring *find_first(struct ring *rings, uint64_t bound, uint64_t *until)
{
    struct ring *first = NULL;
    *until = bound;
    for (struct ring *ring = rings; ring; ring = ring->following) {
        if (!has_next(ring, bound))
            continue;
        if (!first || ring->next < first->next) {
            *until = first ? first->next : bound;
            first = ring;
        } else if (ring->next < *until) {
            *until = ring->next;
        }
    }
    return first;
}

static void write_half(struct ring *ring)
{
    const struct ring_slot *slot = ring_slot(ring, ring->taken / 2);
    if (ring->taken % 2 == 0) {
        block_call(&session.writer, ring, session_name_of(slot->operation),
                   slot->object ? session_name_of(slot->object) : NULL);
    } else if (slot->duration == RING_ABANDONED) {
        ring->identity++;
        ring->named_in = 0;
    } else {
        block_return(&session.writer, ring);
    }
}

/* Everything before `bound`. As it is in order, a block promises the stamp of its last event. */
static void merge(struct ring *rings, uint64_t bound)
{
    uint64_t until;
    for (struct ring *ring; (ring = find_first(rings, bound, &until)) && !session.writer.error;)
        do {
            uint64_t stamp = ring->next;
            write_half(ring);
            record_ring_advance(ring);
            if (block_is_full(&session.writer))
                block_write(&session.writer, stamp);
        } while (has_next(ring, bound) && ring->next <= until);
}

/* ---- ticks ---- */

struct tick {
    struct ring *rings;
    uint64_t now, bound; /* taken at its beginning; all before this has been written */
    bool is_busy;        /* some ring was a quarter full */
    bool is_empty;
};

static void look(struct tick *tick)
{
    *tick = (struct tick){.now = stamp_call(session.stamps), .is_empty = true};
    session_barrier();
    pthread_mutex_lock(&session.lock);
    tick->rings = session.rings;
    pthread_mutex_unlock(&session.lock);
    tick->bound = tick->now;
    for (struct ring *ring = tick->rings; ring; ring = ring->following) {
        uint64_t bound = record_ring_look(ring, tick->now);
        if (bound < tick->bound)
            tick->bound = bound;
        tick->is_busy |= ring->available - ring->taken > RING_SLOTS / 2;
        tick->is_empty &= ring->available == ring->taken;
    }
}

/* Rings of threads that have ended, when they are empty. */
static void drop_rings(void)
{
    pthread_mutex_lock(&session.lock);
    for (struct ring **place = &session.rings; *place;) {
        struct ring *ring = *place;
        bool is_over = ring->has_ended && ring->taken == atomic_load(&ring->sequence) >> 1;
        if (!is_over) {
            place = &ring->following;
            continue;
        }
        *place = ring->following;
        record_ring_destroy(ring);
    }
    pthread_mutex_unlock(&session.lock);
}

static void announce(uint64_t flushed)
{
    pthread_mutex_lock(&session.lock);
    session.flushed = flushed;
    pthread_cond_broadcast(&session.done);
    pthread_mutex_unlock(&session.lock);
}

static void run_tick(struct tick *tick)
{
    look(tick);
    merge(tick->rings, tick->bound);
    block_write(&session.writer, tick->bound);
    if (session.writer.error)
        session_fail(session.writer.error);
    announce(tick->bound);
    drop_rings();
}

/* ---- the thread ---- */

enum state { RUNNING, CLOSING, FAILED };

static enum state state_now(void)
{
    pthread_mutex_lock(&session.lock);
    enum state state = session.error ? FAILED : session.is_closing ? CLOSING : RUNNING;
    pthread_mutex_unlock(&session.lock);
    return state;
}

/* Have all threads of the program ended, the first one by pthread_exit? It stays in the list as a zombie until the process ends. */
static bool is_alone(void)
{
    enum { LINKS_OF_TWO = 4 };
    struct stat tasks;
    char path[64], line[512];
    if (stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink != LINKS_OF_TWO)
        return false;
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", (long)getpid());
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, line, sizeof line - 1) : -1;
    if (file >= 0)
        close(file);
    line[length > 0 ? length : 0] = 0;
    const char *name_end = strrchr(line, ')');
    return name_end && strncmp(name_end, ") Z", 3) == 0;
}

/* The process ends with its last thread, which is this one: it must not be the one that keeps it. */
static void close_if_alone(void)
{
    if (!is_alone())
        return;
    pthread_mutex_lock(&session.lock);
    session.is_closing = true;
    atomic_store(&session.number, 0);
    pthread_mutex_unlock(&session.lock);
}

/* All that has a stamp before the recording was closed. */
static void finish(void)
{
    struct tick tick;
    uint64_t end = stamp_call(session.stamps);
    for (int ticks = 0; ticks < CLOSING_TICKS; ticks++) {
        run_tick(&tick);
        if (state_now() == FAILED)
            return;
        if (tick.bound >= end) {
            block_end(&session.writer, tick.bound);
            if (session.writer.error)
                session_fail(session.writer.error);
            return;
        }
        pause_for(atomic_load(&session.kicks), PAUSE_LEAST);
    }
    session_fail(ETIMEDOUT); /* a thread never came back from taking a stamp */
}

/* Those of threads that go on are theirs. */
static void release_rings(void)
{
    pthread_mutex_lock(&session.lock);
    for (struct ring *ring = session.rings, *following; ring; ring = following) {
        following = ring->following;
        ring->is_orphan = true;
        if (ring->has_ended)
            record_ring_destroy(ring);
    }
    session.rings = NULL;
    session.has_ended = true;
    pthread_cond_broadcast(&session.done);
    pthread_mutex_unlock(&session.lock);
}

void *session_write(void *unused)
{
    (void)unused;
    long pause = PAUSE_LEAST;
    enum state state;
    while ((state = state_now()) == RUNNING) {
        struct tick tick;
        uint32_t kicks = atomic_load(&session.kicks);
        run_tick(&tick);
        pause = !tick.is_empty ? PAUSE_LEAST : pause < PAUSE_MOST ? 2 * pause : pause;
        if (!tick.is_busy && state_now() == RUNNING)
            pause_for(kicks, pause);
        if (tick.is_empty && pause == PAUSE_MOST)
            close_if_alone();
    }
    if (state == CLOSING)
        finish();
    release_rings();
    return NULL;
}
