/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/shared/worker_result.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { PARTS = 13 };

struct worker_tally worker_result_tally;

static uint32_t at_most(uint32_t count, uint32_t limit)
{
    return count < limit ? count : limit;
}

static struct worker_tally read_tally(const struct worker_shared *s, uint32_t state)
{
    return (struct worker_tally){s->executions, s->complete, s->blocked, state, s->limits, true};
}

/* All that a verdict goes by. Of long lists what is used: the rest has no pages yet. */
static size_t list_parts(const struct worker_shared *s, const struct worker_tally *tally,
                         struct sign_off_part *parts)
{
    const struct worker_calls *calls = &s->calls;
    const char *counts = (const char *)&s->state, *failed = (const char *)&s->failed;
    const struct worker_config *c = &s->config; /* the members that a worker may set */
    const struct sign_off_part all[] = {
        {tally, sizeof *tally},
        {&c->serial, sizeof c->serial},
        {&c->loops, sizeof c->loops},
        {c->test, strnlen(c->test, sizeof c->test)},
        {counts, (size_t)(s->history - counts)},
        {s->history, at_most(s->history_length, PROTOCOL_HISTORY)},
        {s->stuck_history, at_most(s->stuck_length, sizeof s->stuck_history)},
        {failed, (size_t)((const char *)s->findings - failed)},
        {s->findings, at_most(s->finding_count, PROTOCOL_FINDINGS) * sizeof *s->findings},
        {&s->folding, offsetof(struct fold_shared, places)},
        {&s->annotated, sizeof s->annotated},
        {calls, calls->count ? sizeof *calls : sizeof calls->count},
        {s->orders_seen, s->config.watch_orders ? sizeof s->orders_seen : 0},
    };
    _Static_assert(sizeof all / sizeof *all == PARTS, "there is room for all");
    memcpy(parts, all, sizeof all);
    return PARTS;
}

bool worker_result_restore_config(struct worker_shared *s, const struct worker_config *asked)
{
    struct worker_config found = s->config;
    s->config = *asked;
    s->config.serial = found.serial;
    s->config.loops = found.loops;
    if (!*asked->test)
        memcpy(s->config.test, found.test, sizeof found.test);
    return memcmp(&s->config, &found, sizeof found) == 0;
}

bool worker_result_is_signed(const struct worker_shared *s, uint64_t key)
{
    struct sign_off_part parts[PARTS];
    const struct worker_tally tally = read_tally(s, s->state);
    return sign_off_is_valid(&s->sign_off, key, parts, list_parts(s, &tally, parts));
}

void worker_result_sign(struct worker_shared *s, enum worker_state state)
{
    struct sign_off_part parts[PARTS];
    struct worker_tally tally = read_tally(s, state), *kept = &worker_result_tally;
    s->state = state;
    if (kept->is_kept)
        tally = (struct worker_tally){
            kept->executions, kept->complete, kept->blocked, state, kept->limits | tally.limits, true};
    sign_off_sign(&s->sign_off, parts, list_parts(s, &tally, parts));
}

void worker_result_end(struct worker_shared *s, enum worker_state state)
{
    worker_result_sign(s, state);
    _exit(0);
}
