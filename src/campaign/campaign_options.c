/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/campaign_options.h"

#include "campaign/campaign_interleave.h"
#include "campaign/tables/history_count.h"
#include "engine/shared/protocol.h"
#include "graph/model.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct campaign_options campaign_options_default = {.seed = CAMPAIGN_NO_SEED,
                                                          .jobs = 1,
                                                          .preemptions = UINT32_MAX,
                                                          .steps = 100000,
                                                          .depth = 3,
                                                          .mode = -1,
                                                          .memory = -1};

const struct memory_model *campaign_model(const struct campaign_options *o)
{
    return model_with_sequences(model_at(o->memory), o->release_sequence);
}

const char *campaign_memory_name(const struct campaign_options *o)
{
    return campaign_model(o)->name;
}

bool campaign_goes_on(const struct campaign_options *o)
{
    return o->races != CAMPAIGN_RACES_STOP || o->suppress.len;
}

bool campaign_lists_errors(const struct campaign_options *o)
{
    return o->all_errors || o->races == CAMPAIGN_RACES_REPORT;
}

bool campaign_read_shard(struct campaign_shard *s, struct diagnostic *why)
{
    char end;
    if (!s->words && !s->result)
        return true;
    if (!s->words)
        return diagnostic_set(why, PL_USAGE, 0, 0, "--result is for --shard");
    if (sscanf(s->words, "%" SCNu64 "/%" SCNu64 "%c", &s->number, &s->count, &end) != 2 || s->number < 1 ||
        s->number > s->count || s->count > CAMPAIGN_SHARDS)
        return diagnostic_set(why, PL_USAGE, 0, 0, "--shard is I/N, part I of N: 1/4 to 4/4");
    s->number--;
    return true;
}

bool campaign_is_kept(const struct campaign_options *o)
{
    return o->checkpoint || o->shard.count || o->piece;
}

/* The option because of which it is. */
static const char *kept_by(const struct campaign_options *o)
{
    return o->shard.count ? "--shard" : "--checkpoint";
}

/* Plain accesses that are steps do not go together with everything. */
static bool races_fit(const struct campaign_options *o, struct diagnostic *why)
{
    if (o->suppress.len && o->races == CAMPAIGN_RACES_ALLOW)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--suppress is for --races=stop and report: allow leaves nothing to suppress");
    if (!campaign_goes_on(o) && !o->volatiles)
        return true;
    if (o->fold)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--fold cannot be combined with --races=allow, --races=report, "
                              "--suppress and --volatile=relaxed");
    if (o->symmetry)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--symmetry cannot be combined with --races=allow, --races=report, "
                              "--suppress and --volatile=relaxed");
    if (campaign_is_kept(o) && o->races != CAMPAIGN_RACES_ALLOW)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "%s does not save the races that --races=report and --suppress find",
                              kept_by(o));
    return true;
}

static bool sampling_fits(struct campaign_options *o, struct diagnostic *why)
{
    bool samples = o->mode == WORKER_RANDOM || o->mode == WORKER_PCT;
    if (!samples && o->runs)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--runs is for --mode random and pct; the others stop after --executions");
    if (!samples && o->seed != CAMPAIGN_NO_SEED)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--seed is for --mode random and pct: the others choose nothing at random");
    if (!o->runs)
        o->runs = 10000;
    if (o->seed == CAMPAIGN_NO_SEED)
        o->seed = 1;
    return true;
}

/* Numbers, min and max, divided by commas. */
static bool is_list_of_values(const char *list)
{
    while (*list) {
        size_t length = strcspn(list, ",");
        const char *digits = list + (*list == '-');
        bool word = length == 3 && (strncmp(list, "min", 3) == 0 || strncmp(list, "max", 3) == 0);
        size_t hex = strncmp(digits, "0x", 2) == 0 ? strspn(digits + 2, "0123456789abcdefABCDEF") : 0;
        size_t number = hex ? hex + 2 : strspn(digits, "0123456789");
        if (!word && (!number || digits + number != list + length))
            return false;
        list += length;
        if (*list && !*++list)
            return false;
    }
    return true;
}

static bool progress_fits(const struct campaign_options *o, struct diagnostic *why)
{
    if (o->mode != WORKER_GRAPH || o->preemptions != UINT32_MAX)
        return diagnostic_set(why, PL_USAGE, 0, 0, "--progress is for --mode all, without --preemptions");
    if (campaign_goes_on(o) || o->volatiles || o->all_errors)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--progress cannot be combined with --races=allow, --races=report, --suppress, "
                              "--volatile=relaxed and --all-errors");
    if (campaign_is_kept(o) || o->count_histories || o->compare || o->report_weak)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--progress cannot be combined with %s, --count-histories, --compare "
                              "and --report-weak",
                              kept_by(o));
    return true;
}

static bool specification_fits(const struct campaign_options *o, struct diagnostic *why)
{
    if (!o->test && (o->init || o->final))
        return diagnostic_set(why, PL_USAGE, 0, 0, "--init and --final are for --test");
    if (o->sandbox && (o->observations || o->golden || o->golden_define))
        return diagnostic_set(
            why, PL_USAGE, 0, 0,
            "--observations, --golden and --golden-define need files that the program writes, "
            "which --sandbox forbids");
    if (o->golden && o->golden_define)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--golden and --golden-define are two ways to name one thing: use one");
    if (o->spec && (o->golden || o->golden_define))
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--spec and --golden both name the specification: use one");
    return true;
}

static bool memory_fits(const struct campaign_options *o, struct diagnostic *why)
{
    if (o->memory > 0 && o->mode != WORKER_GRAPH)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--memory is for --mode all: the other modes are sequentially consistent");
    if (o->release_sequence > 0 && o->mode != WORKER_GRAPH)
        return diagnostic_set(why, PL_USAGE, 0, 0, "--release-sequence is for --mode all");
    if (o->quasi && (!*o->quasi || strlen(o->quasi) >= sizeof(((struct worker_config *)0)->quasi)))
        return diagnostic_set(why, PL_USAGE, 0, 0, "--quasi: the factor is %s",
                              *o->quasi ? "too long" : "missing");
    return true;
}

static bool parts_fit(const struct campaign_options *o, struct diagnostic *why)
{
    if (campaign_is_kept(o) && o->mode != WORKER_GRAPH)
        return diagnostic_set(why, PL_USAGE, 0, 0, "%s is for --mode all", kept_by(o));
    if (o->shard.count && (o->symmetry || o->count_histories))
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--shard cannot be combined with --symmetry, --opaque-items and "
                              "--count-histories");
    if ((o->compare || o->report_weak) &&
        (!o->test || o->mode != WORKER_GRAPH || campaign_is_kept(o) || o->preemptions != UINT32_MAX))
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--compare and --report-weak are for --test and --mode all, without "
                              "%s and --preemptions",
                              kept_by(o));
    return true;
}

static bool loops_fit(const struct campaign_options *o, struct diagnostic *why)
{
    if (o->loops && o->mode != WORKER_GRAPH)
        return diagnostic_set(why, PL_USAGE, 0, 0, "--loops is for --mode all: the other modes have --steps");
    if (o->fold && o->no_fold)
        return diagnostic_set(why, PL_USAGE, 0, 0, "--fold and --no-fold contradict each other");
    if (o->fold && o->mode != WORKER_GRAPH)
        return diagnostic_set(why, PL_USAGE, 0, 0, "--fold is for --mode all");
    if (o->fold && campaign_is_kept(o))
        return diagnostic_set(why, PL_USAGE, 0, 0, "--fold and %s cannot be combined", kept_by(o));
    if (o->fold && o->all_errors)
        return diagnostic_set(why, PL_USAGE, 0, 0, "--fold cannot be combined with --all-errors");
    if (o->symmetry && o->mode != WORKER_GRAPH)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--symmetry is for --mode all: the other modes try schedules");
    return true;
}

bool campaign_options_fit(struct campaign_options *o, struct diagnostic *why)
{
    if (o->nondet && (!*o->nondet || !is_list_of_values(o->nondet) ||
                      strlen(o->nondet) >= sizeof(((struct worker_config *)0)->nondet)))
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--nondet is a list of numbers, min and max, like 0,1,-1,max");
    if (o->mode < 0)
        o->mode = WORKER_GRAPH;
    o->symmetry |= o->opaque_items;
    if (!sampling_fits(o, why) || !specification_fits(o, why) || !memory_fits(o, why) ||
        !campaign_read_shard(&o->shard, why) || !parts_fit(o, why) || !loops_fit(o, why) ||
        !races_fit(o, why))
        return false;
    if (o->progress && !progress_fits(o, why))
        return false;
    if (campaign_is_kept(o) && o->all_errors)
        return diagnostic_set(why, PL_USAGE, 0, 0, "%s does not save what --all-errors has found",
                              kept_by(o));
    if (o->count_histories && !history_count_fits(o, why))
        return false;
    return o->preemptions == UINT32_MAX || campaign_interleave_bounded(o, why);
}

void campaign_fold_by_default(struct campaign_options *o)
{
    o->fold_asked = o->fold;
#if defined(__x86_64__) /* elsewhere it is not known what matters */
    bool counts = o->count || o->count_histories || o->compare || o->report_weak || o->all_errors;
    bool goes_on = campaign_goes_on(o) || o->volatiles;
    bool bounded = o->loops || o->preemptions != UINT32_MAX || campaign_is_kept(o);
    o->fold |= !o->no_fold && o->mode == WORKER_GRAPH && !counts && !goes_on && !bounded;
#endif
}

void campaign_problem(const struct campaign_options *o, const char *file, const struct diagnostic *why)
{
    struct diagnostic d = *why;
    if (!o->listener || !o->listener->problem)
        return;
    if (file)
        snprintf(d.file, sizeof d.file, "%s", file);
    o->listener->problem(&d);
}

void campaign_note(const struct campaign_options *o, const char *format, ...)
{
    struct text line = {0};
    va_list args;
    if (!o->listener || !o->listener->note)
        return;
    va_start(args, format);
    text_vprintf(&line, format, args);
    va_end(args);
    o->listener->note(line.data);
    text_free(&line);
}
