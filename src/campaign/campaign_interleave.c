/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/campaign_interleave.h"

#include "base/budget.h"
#include "base/text.h"
#include "explain/program/explain_error.h"
#include "graph/model.h"

#include <stdlib.h>
#include <string.h>

static bool is_sc(const struct campaign_options *o)
{
    return model_at(o->memory)->kind == MODEL_INTERLEAVED;
}

/* From now on the options ask for interleavings, with the races of sc. */
static void interleave(struct campaign_options *options)
{
    options->mode = WORKER_DFS;
    options->all_seq_cst = true;
    options->jobs = 1;
    options->checkpoint = NULL;
}

/* An error that was found before stands. */
static bool is_needed(const struct campaign_options *o, const struct campaign_result *r)
{
    return o->mode == WORKER_GRAPH && is_sc(o) && !o->loops && !o->shard.count &&
           r->limits & LIMIT_MIXED_SIZE && r->unsupported && !r->found && !r->failing && !r->failed;
}

static char *copy(const char *words)
{
    struct text t = {0};
    text_puts(&t, words);
    return text_take(&t);
}

static char *describe_mixed_sizes(const struct worker_shared *s)
{
    struct text t = {0};
    char *place = code_place(s, s->unsupported_pc);
    text_puts(&t, "unaligned mixed-size atomics");
    if (place)
        text_printf(&t, " at %s", place);
    free(place);
    return text_take(&t);
}

bool campaign_interleave_if_needed(const struct target_program *program, struct campaign_options *options,
                                   double start, struct target_worker **workers,
                                   struct campaign_result *result, char **reason, struct diagnostic *why)
{
    const double least = 0.01; /* none at all would mean any */
    if (options->all_seq_cst)
        *reason = copy("--preemptions");
    if (!is_needed(options, result))
        return true;
    *reason = describe_mixed_sizes(result->unsupported);
    for (uint64_t k = 0; k < options->jobs; k++) {
        target_free(workers[k]);
        workers[k] = NULL;
    }
    interleave(options);
    if (options->time > 0) {
        double left = options->time - (base_now() - start);
        options->time = left > least ? left : least;
    }
    return campaign_run(program, options, workers, result, why);
}

bool campaign_interleave_bounded(struct campaign_options *options, struct diagnostic *why)
{
    if (options->mode == WORKER_DFS)
        return true;
    if (options->mode != WORKER_GRAPH)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--preemptions is for --mode dfs and --mode all: the others do not "
                              "count switches");
    if (!is_sc(options))
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--preemptions is for --memory sc and --mode dfs: in other memory "
                              "models threads do not take turns");
    if (options->loops || campaign_is_kept(options))
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--loops and %s are for graphs, --preemptions for interleavings",
                              options->shard.count ? "--shard" : "--checkpoint");
    interleave(options);
    return true;
}
