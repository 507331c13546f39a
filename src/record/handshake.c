/* SPDX-License-Identifier: Apache-2.0 */
/* A message is the stamp of a call on one processor; the other takes the stamp of a return when it has seen the message. If that is
 * smaller, the clock would put a return before a call that really came first, and a history could be wrong.
 *
 * A thread is pinned to each processor. They meet as in a tournament, every two once in a leg, and half of the pairs at a time: with
 * many processors the number of pairs is quadratic, the time is linear. Legs follow each other until the time is over; on a machine
 * that is busy the first one, which every pair needs, may take longer. */
#include "record/handshake.h"
#include "record/stamps.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EXCHANGES = 256, SPINS = 2000, PATIENCE = 8 };

/* A thread of its own for each processor, and what it sent last. Messages are numbered through all legs. */
struct player {
    _Alignas(128) _Atomic uint64_t sent;
    _Atomic uint64_t stamp;
    _Alignas(128) struct tournament *tournament;
    int number, processor;
    pthread_t thread;
};

struct tournament {
    struct player *players;
    int count; /* even: the last one may be missing */
    int processors;
    unsigned long legs;
    double begin, seconds;
    _Atomic bool is_over, went_back, is_incomplete;
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits for message `number` or a later one; false when the time is over. Each thread has a processor, and messages pass only
 * while both are on theirs: none yields to other programs. */
static bool await(struct tournament *tournament, const struct player *other, uint64_t number,
                  unsigned long leg)
{
    double end = tournament->begin + tournament->seconds * (leg == 0 ? PATIENCE : 1);
    for (unsigned spins = 1; atomic_load_explicit(&other->sent, memory_order_acquire) < number; spins++) {
        if (spins % SPINS != 0)
            continue;
        if (atomic_load(&tournament->is_over) || seconds_now() > end) {
            atomic_store(&tournament->is_over, true);
            return false;
        }
    }
    return true;
}

static void send(struct player *self, uint64_t number)
{
    atomic_store_explicit(&self->stamp, stamp_clock_call(), memory_order_relaxed);
    atomic_store_explicit(&self->sent, number, memory_order_release);
}

/* The stamp may be that of a later message, which was sent before it was read, too. */
static void receive(struct tournament *tournament, const struct player *other)
{
    uint64_t sent = atomic_load_explicit(&other->stamp, memory_order_relaxed);
    if (stamp_clock_return() < sent)
        atomic_store(&tournament->went_back, true);
}

/* One side of a pair: sends, and waits for the answer, or the other way round. */
static bool meet(struct player *self, const struct player *other, uint64_t first, unsigned long leg)
{
    bool is_first = self->number < other->number;
    for (uint64_t number = first; number < first + EXCHANGES; number++) {
        if (is_first)
            send(self, number);
        if (!await(self->tournament, other, number, leg))
            return false;
        receive(self->tournament, other);
        if (!is_first)
            send(self, number);
    }
    return true;
}

/* The circle method: the last player stays, the others move on by one. */
static int opponent(int count, int round, int self)
{
    int circle = count - 1;
    if (self == circle)
        return round % circle * (count / 2) % circle;
    int other = ((round - self) % circle + circle) % circle;
    return other == self ? circle : other;
}

static bool play_leg(struct player *self, unsigned long leg)
{
    struct tournament *tournament = self->tournament;
    int rounds = tournament->count - 1;
    for (int round = 0; round < rounds; round++) {
        int other = opponent(tournament->count, round, self->number);
        uint64_t first = 1 + (leg * (uint64_t)rounds + (uint64_t)round) * EXCHANGES;
        if (other < tournament->processors && !meet(self, &tournament->players[other], first, leg))
            return false;
    }
    return true;
}

static bool pin(int processor)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(processor, &only);
    return sched_setaffinity(0, sizeof only, &only) == 0;
}

static void *play(void *argument)
{
    struct player *self = argument;
    struct tournament *tournament = self->tournament;
    unsigned long leg = 0;
    if (pin(self->processor))
        while (leg < tournament->legs && !atomic_load(&tournament->went_back) && play_leg(self, leg))
            leg++;
    if (leg == 0)
        atomic_store(&tournament->is_incomplete, true);
    if (leg < tournament->legs)
        atomic_store(&tournament->is_over, true);
    return NULL;
}

/* Before any of them starts: they look at each other. */
static void set_up(struct tournament *tournament, const cpu_set_t *processors)
{
    int number = 0;
    for (int processor = 0; processor < CPU_SETSIZE && number < tournament->processors; processor++) {
        if (!CPU_ISSET(processor, processors))
            continue;
        struct player *player = &tournament->players[number];
        player->tournament = tournament;
        player->number = number++;
        player->processor = processor;
    }
}

static bool play_all(struct tournament *tournament)
{
    int started = 0;
    while (started < tournament->processors) {
        struct player *player = &tournament->players[started];
        if (pthread_create(&player->thread, NULL, play, player) != 0) {
            atomic_store(&tournament->is_over, true);
            break;
        }
        started++;
    }
    for (int i = 0; i < started; i++)
        pthread_join(tournament->players[i].thread, NULL);
    return started == tournament->processors;
}

static bool run(struct tournament *tournament, const cpu_set_t *processors)
{
    size_t size = (size_t)tournament->count * sizeof *tournament->players;
    tournament->players = aligned_alloc(_Alignof(struct player), size);
    if (!tournament->players)
        return false;
    memset(tournament->players, 0, size);
    set_up(tournament, processors);
    bool is_complete = play_all(tournament);
    free(tournament->players);
    return is_complete && !tournament->is_incomplete;
}

enum handshake handshake_run(const cpu_set_t *processors, unsigned long exchanges, double seconds)
{
    int count = CPU_COUNT(processors);
    if (count < 2)
        return HANDSHAKE_NEVER_BACK;
    unsigned long pairs = (unsigned long)count * (unsigned long)(count - 1) / 2;
    struct tournament tournament = {
        .count = count + count % 2,
        .processors = count,
        .legs = 1 + exchanges / (pairs * EXCHANGES),
        .begin = seconds_now(),
        .seconds = seconds,
    };
    bool is_complete = run(&tournament, processors);
    if (tournament.went_back)
        return HANDSHAKE_BACK;
    return is_complete ? HANDSHAKE_NEVER_BACK : HANDSHAKE_INCOMPLETE;
}
