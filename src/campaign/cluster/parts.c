/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/cluster/parts.h"

#include "base/budget.h"
#include "base/interruption.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The first shard has the executions that all had to run. */
void parts_take_shard(struct saving *s, const struct campaign_shard *shard,
                      struct campaign_division *division)
{
    struct checkpoint *c = &s->state;
    c->counts = saving_counts(s);
    checkpoint_collect_pieces(c, s->pool);
    division->pieces = c->part_sizes.len;
    division->digest = checkpoint_digest(c);
    checkpoint_keep_every(c, shard->number, shard->count);
    if (shard->number > 0) {
        uint32_t limits = c->counts.limits;
        c->counts = (struct checkpoint_counts){.limits = limits};
    }
    s->is_part = true;
}

void parts_keep_objects(const struct saving *s, const struct campaign_division *division,
                        struct campaign_result *result)
{
    const struct pool *p = s->pool->shared;
    struct campaign_division *kept = &result->division;
    *kept = *division;
    kept->object_count = p->object_count < POOL_OBJECTS ? p->object_count : POOL_OBJECTS;
    kept->objects = NEW_ARRAY(struct pool_object, kept->object_count + 1);
    memcpy(kept->objects, p->objects, kept->object_count * sizeof *kept->objects);
}

void campaign_result_free(struct campaign_result *result)
{
    free(result->division.objects);
    result->division = (struct campaign_division){0};
}

double parts_begin_piece(struct saving *s, struct campaign_piece *piece)
{
    s->keeps = true;
    s->is_part = !piece->is_all;
    s->state = piece->work;
    piece->work = (struct checkpoint){0};
    return piece->seconds > 0 ? base_now() + piece->seconds : 0;
}

/* False: it was not divided, but went on to its end or was stopped. */
static bool collect_divided(struct saving *s)
{
    struct checkpoint *state = &s->state;
    if (s->pool->shared->over != POOL_DIVIDED || !saving_ended_well(s))
        return false;
    checkpoint_free(state);
    *state = (struct checkpoint){.code = state->code, .options = state->options};
    checkpoint_collect_pieces(state, s->pool);
    state->counts = saving_counts(s);
    return true;
}

/* What was counted when the work that is left was saved is what counts: the workers went on for a moment. */
void parts_end_piece(struct saving *s, struct campaign_piece *piece, struct campaign_result *result)
{
    struct checkpoint *state = &s->state;
    bool is_divided = collect_divided(s);
    bool is_stopped = result->timed_out && !result->found && !result->failed && !interruption_came();
    piece->is_lost = is_stopped && !s->is_kept;
    if (!is_divided && !(is_stopped && s->is_kept))
        return;
    result->executions = state->counts.executions;
    result->blocked = state->counts.blocked;
    result->refuted = state->counts.refuted;
    result->cut = state->counts.cut;
    result->timed_out = false;
    piece->work = *state;
    *state = (struct checkpoint){0};
}
