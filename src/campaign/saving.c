/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/saving.h"

#include "base/budget.h"
#include "base/hash.h"
#include "campaign/campaign_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds. Saving may take a twentieth of the time at most. */
static const double FIRST_PAUSE = 0.5, PAUSE = 3, PAUSE_FACTOR = 20;
enum { WAIT_MS = 50, LAST_WAIT_MS = 2000 };

static void complain(struct saving *s, const struct diagnostic *why)
{
    campaign_problem(s->options, s->path, why);
    s->failed = true;
}

static bool is_of(const struct saving *s, struct diagnostic *why, uint64_t code, uint64_t options)
{
    if (s->state.code != code)
        return diagnostic_set(
            why, PL_BAD_CHECKPOINT, 0, 0,
            "the checkpoint is of another program, or of one that was changed since: remove it to "
            "begin again");
    if (s->state.options != options)
        return diagnostic_set(
            why, PL_BAD_CHECKPOINT, 0, 0,
            "the checkpoint is of a run with other options: use the same, or remove it to begin "
            "again");
    return true;
}

/* Another part is not to be continued. */
static uint64_t options_of(const struct saving *s, const struct worker_config *config)
{
    const struct campaign_shard *shard = &s->options->shard;
    uint64_t options = checkpoint_options(config);
    return shard->count ? hash_combine(hash_combine(options, shard->number), shard->count) : options;
}

bool saving_start(struct saving *s, const struct target_program *program, const struct worker_config *config,
                  struct diagnostic *why)
{
    uint64_t options = options_of(s, config);
    struct checkpoint file = {0};
    s->next = base_now() + FIRST_PAUSE;
    bool exists = s->path && checkpoint_lock(&s->lock, s->path, why) && checkpoint_read(&file, s->path, why);
    if (exists) {
        s->went_on = true;
        checkpoint_free(&s->state);
        s->state = file;
    }
    bool is_given = exists || (s->is_part && s->keeps); /* by another process */
    bool goes_on = is_given ? is_of(s, why, program->code, options) : s->is_part && !why->code;
    if (goes_on && !checkpoint_distribute(&s->state, s->pool))
        diagnostic_set(why, PL_BAD_CHECKPOINT, 0, 0, "the checkpoint has more work than %u workers hold",
                       s->pool->workers);
    if (why->code) {
        if (s->path)
            snprintf(why->file, sizeof why->file, "%s", s->path);
        return false;
    }
    s->state.code = program->code;
    s->state.options = options;
    s->before = s->state.counts;
    if (exists)
        campaign_note(s->options, "going on from %s: %" PRIu64 " execution%s done", s->path,
                      s->before.executions, s->before.executions == 1 ? " was" : "s were");
    return true;
}

struct checkpoint_counts saving_counts(const struct saving *s)
{
    struct checkpoint_counts c = {0};
    if (s->pool && s->pool->shared->epoch == 0) /* else all was begun again */
        c = s->before;
    for (uint32_t k = 0; s->pool && k < s->pool->workers; k++) {
        const struct worker_shared *w = target_shared(s->workers[k]);
        c.executions += w->executions;
        c.complete += w->complete;
        c.blocked += w->blocked;
        c.refuted += w->refuted;
        c.cut += w->cut;
        c.steps += w->steps;
        c.undecided += w->undecided;
        c.revisits += w->revisits;
        c.limits |= w->limits;
        if ((w->limits & LIMIT_UNSUPPORTED) && !*c.unsupported) {
            memcpy(c.unsupported, w->unsupported, sizeof c.unsupported);
            c.unsupported_pc = w->unsupported_pc;
        }
    }
    return c;
}

static void write_state(struct saving *s)
{
    struct diagnostic why = {0};
    if (checkpoint_write(&s->state, s->path, &why))
        s->written = true;
    else if (!s->failed)
        complain(s, &why);
}

/* All have saved and wait. */
static void collect(struct saving *s)
{
    bool collected = s->pool->shared->over == POOL_GOES_ON && checkpoint_collect(&s->state, s->pool);
    if (collected)
        s->state.counts = saving_counts(s);
    target_pool_release(s->pool);
    s->asked = false;
    s->is_kept = collected;
    if (collected && s->path)
        write_state(s);
}

static void save_within(struct saving *s, int milliseconds)
{
    double start = base_now();
    if (!s->asked)
        target_pool_ask_to_save(s->pool);
    s->asked = true;
    if (!target_pool_have_saved(s->pool, milliseconds))
        return;
    collect(s);
    double took = base_now() - start;
    s->next = base_now() + (took * PAUSE_FACTOR > PAUSE ? took * PAUSE_FACTOR : PAUSE);
}

void saving_tick(struct saving *s)
{
    if (s->path && (s->asked || base_now() >= s->next))
        save_within(s, WAIT_MS);
}

void saving_now(struct saving *s)
{
    if (s->path || s->keeps)
        save_within(s, LAST_WAIT_MS);
}

bool saving_ended_well(const struct saving *s)
{
    for (uint32_t k = 0; k < s->pool->workers; k++)
        if (target_end_of(s->workers[k])->outcome != TARGET_FINISHED)
            return false;
    return true;
}

void saving_end(struct saving *s, bool finished)
{
    if (!s->path) {
        checkpoint_free(&s->state);
        return;
    }
    if (finished) {
        unlink(s->path);
    } else if (s->pool->shared->over == POOL_BOUNDED && saving_ended_well(s) &&
               checkpoint_collect(&s->state, s->pool)) {
        s->state.counts = saving_counts(s);
        /* going on is about the executions that were left out */
        s->state.counts.limits &= ~(uint32_t)LIMIT_EXECUTIONS;
        write_state(s);
    }
    if (!finished && s->written)
        campaign_note(s->options, "the same command continues from %s", s->path);
    checkpoint_free(&s->state);
}
