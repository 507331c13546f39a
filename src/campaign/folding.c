/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/folding.h"

#include "base/memory.h"
#include "graph/model.h"
#include "target/code/liveness.h"

#include <string.h>

void folding_prepare(struct folding *f, const struct target_program *program)
{
    f->places = NEW_ARRAY(struct fold_place, FOLD_PLACES);
    f->count = liveness_find(program->path, f->places, FOLD_PLACES);
}

void folding_plan(const struct folding *f, struct target_run *run)
{
    run->config.fold = f->places != NULL;
    run->places = f->places;
    run->place_count = f->count;
}

void folding_free(struct folding *f)
{
    free(f->places);
    *f = (struct folding){0};
}

static bool meets_any(const struct fold_entry *read, struct target_worker *const *workers, uint64_t jobs)
{
    for (uint64_t k = 0; k < jobs; k++) {
        const struct fold_entry *e = fold_entry_find(target_shared(workers[k])->folding.exposed, read->key);
        if (e && fold_entries_meet(read, e))
            return true;
    }
    return false;
}

bool folding_hides_race(struct target_worker *const *workers, uint64_t jobs)
{
    for (uint64_t k = 0; k < jobs; k++) {
        const struct fold_shared *f = &target_shared(workers[k])->folding;
        if (f->overflows)
            return true;
        for (uint32_t i = 0; i < FOLD_ENTRIES; i++)
            if (f->reads[i].key && meets_any(&f->reads[i], workers, jobs))
                return true;
    }
    return false;
}

/* What a folded round knew a client can tell its thread instead, but that client is another one where seq_cst accesses
 * are ordered with weaker ones. */
bool folding_hides_client(struct target_worker *const *workers, uint64_t jobs)
{
    bool news = false, weak = false, seq_cst = false, language = false;
    for (uint64_t k = 0; k < jobs; k++) {
        const struct worker_shared *s = target_shared(workers[k]);
        news |= s->folding.news;
        weak |= s->folding.weak;
        seq_cst |= s->folding.seq_cst;
        language |= s->config.test[0] && model_is(s->config.memory, MODEL_LANGUAGE);
    }
    return news && weak && seq_cst && language;
}
