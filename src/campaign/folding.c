/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/folding.h"

#include "base/memory.h"
#include "graph/model.h"
#include "target/code/liveness.h"

#include <string.h>

void folding_prepare(struct folding *f, const struct target_program *program)
{
    f->places = NEW_ARRAY(struct fold_places, 1);
    liveness_find(program->path, f->places, NULL);
}

void folding_plan(const struct folding *f, enum folding_level level, struct target_run *run)
{
    if (level == FOLDING_NONE || !f->places)
        return;
    run->config.fold = level == FOLDING_LOOKS     ? WORKER_LOOKS_FOR_FOLDS
                       : level == FOLDING_PATIENT ? WORKER_IS_PATIENT
                                                  : WORKER_FOLDS;
    run->config.fold_unknowing = level == FOLDING_UNKNOWING;
    run->places = f->places;
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

static bool hides_race(struct target_worker *const *workers, uint64_t jobs)
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
static bool hides_client(struct target_worker *const *workers, uint64_t jobs)
{
    bool news = false, edges = false, language = false;
    for (uint64_t k = 0; k < jobs; k++) {
        const struct worker_shared *s = target_shared(workers[k]);
        news |= s->folding.news;
        edges |= s->folding.edges;
        language |= s->config.test[0] && model_is(s->config.memory, MODEL_LANGUAGE);
    }
    return news && edges && language;
}

static bool found_any(struct target_worker *const *workers, uint64_t jobs)
{
    bool found = false;
    for (uint64_t k = 0; k < jobs; k++)
        found |= target_shared(workers[k])->folding.found;
    return found;
}

static bool was_any_patient(struct target_worker *const *workers, uint64_t jobs)
{
    bool patient = false;
    for (uint64_t k = 0; k < jobs; k++)
        patient |= target_shared(workers[k])->folding.patient;
    return patient;
}

static bool met_limit(struct target_worker *const *workers, uint64_t jobs)
{
    bool met = false;
    for (uint64_t k = 0; k < jobs; k++)
        met |= (target_shared(workers[k])->limits & LIMIT_FOLDING) != 0;
    return met;
}

enum folding_level folding_next(enum folding_level level, struct target_worker *const *workers, uint64_t jobs)
{
    if (level <= FOLDING_PATIENT)
        return level;
    if (level == FOLDING_LOOKS)
        return found_any(workers, jobs) ? FOLDING_ALL : level;
    if (met_limit(workers, jobs) || hides_race(workers, jobs))
        return was_any_patient(workers, jobs) ? FOLDING_PATIENT : FOLDING_NONE;
    return hides_client(workers, jobs) ? FOLDING_UNKNOWING : level;
}

const char *folding_why_less(enum folding_level level)
{
    return level <= FOLDING_PATIENT
               ? "all was run again without: a race or a call in a round that was left out may have been "
                 "missed"
               : "all was run again with less: a client's order of seq_cst accesses may have been missed";
}
