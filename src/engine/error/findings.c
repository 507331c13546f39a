/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/error/findings.h"

#include "base/hash.h"
#include "engine/engine_state.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_COMPARED = 4 };

bool findings_ignored;

static uint64_t run = 1, last_failed; /* number of the execution; of the last one with an error */

void findings_begin(void)
{
    run++;
}

/* ------------------------------------------------------------------ causes */

/* Lines of a history, in any order, without their stamps. */
static uint64_t hash_history(const char *text, size_t length)
{
    static const char *const stamps[] = {"\"call\":", "\"return\":"};
    uint64_t sum = 0, line = 0;
    for (size_t k = 0; k < length; k++) {
        for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++) {
            size_t size = strlen(stamps[i]);
            if (length - k > size && memcmp(text + k, stamps[i], size) == 0)
                for (k += size; k < length && isdigit((unsigned char)text[k]);)
                    k++;
        }
        line = hash_combine(line, (unsigned char)text[k]);
        if (text[k] == '\n') {
            sum += line;
            line = 0;
        }
    }
    return sum;
}

static void add_place(struct worker_finding *f, uint64_t pc)
{
    uint32_t k = 0;
    while (k < f->place_count && f->places[k] < pc)
        k++;
    if (!pc || f->place_count == PROTOCOL_PLACES || (k < f->place_count && f->places[k] == pc))
        return;
    memmove(f->places + k + 1, f->places + k, (f->place_count - k) * sizeof *f->places);
    f->places[k] = pc;
    f->place_count++;
}

static void find_places(struct worker_finding *f)
{
    const struct worker_error *e = &f->error;
    if (e->kind == WORKER_ERROR_RACE)
        for (uint32_t k = 0; k < 2; k++)
            add_place(f, e->stacks[k].count ? e->stacks[k].pcs[0] : 0);
    if (e->kind == WORKER_ERROR_DEADLOCK)
        for (uint64_t left = engine.alive & ~engine.failed; left; left &= left - 1)
            add_place(f, engine.threads[__builtin_ctzll(left)].pc);
}

static uint64_t find_cause(const struct worker_shared *s, const struct worker_finding *f)
{
    const struct worker_error *e = &f->error;
    uint64_t hash = hash_combine(e->kind, e->phase);
    bool has_operations = (e->kind == WORKER_ERROR_NOT_LINEARIZABLE && s->judged_partly) ||
                          (e->kind == WORKER_ERROR_SYNC && !s->calls.line);
    if (has_operations) /* in its message */
        return hash_combine(hash, hash_bytes(e->message, strlen(e->message)));
    if (e->kind == WORKER_ERROR_NOT_LINEARIZABLE)
        return hash_combine(hash, hash_history(s->history, s->history_length));
    if (s->calls.count) /* the rule or the condition */
        hash = hash_combine(hash_combine(hash, hash_bytes(s->calls.file, strlen(s->calls.file))),
                            (uint64_t)s->calls.line << 32 | s->calls.column);
    if (e->kind == WORKER_ERROR_RACE && s->config.races != RACES_BY_PLACES)
        hash = hash_combine(hash, e->address);
    for (uint32_t k = 0; k < f->place_count; k++)
        hash = hash_combine(hash, f->places[k]);
    for (uint32_t k = 0; !f->place_count && k < e->stacks[0].count && k < CALLS_COMPARED; k++)
        hash = hash_combine(hash, e->stacks[0].pcs[k]);
    return hash;
}

/* ------------------------------------------------------------------ keeping them */

static struct worker_finding *find(struct worker_shared *s, uint64_t cause)
{
    for (uint32_t k = 0; k < s->finding_count; k++)
        if (s->findings[k].cause == cause)
            return &s->findings[k];
    return NULL;
}

/* Where the choices of the running execution are to be kept; UINT32_MAX: there is no room. */
static uint32_t find_room(const struct worker_shared *s, const struct worker_finding *old)
{
    if (s->choices_lost)
        return UINT32_MAX;
    if (old && old->story != UINT32_MAX)
        return old->story;
    return PROTOCOL_STORIES - s->story_used >= s->choice_count ? s->story_used : UINT32_MAX;
}

static bool is_better(const struct worker_shared *s, const struct worker_finding *old)
{
    if (!old)
        return true;
    return !s->choices_lost && (old->story == UINT32_MAX || s->choice_count < old->choice_count);
}

static void keep(struct worker_shared *s, struct worker_finding *to, const struct worker_finding *old,
                 const struct worker_finding *found)
{
    uint32_t story = find_room(s, old);
    uint64_t executions = old ? old->executions : 0, counted = old ? old->run : 0;
    *to = *found;
    to->executions = executions;
    to->run = counted;
    to->number = s->config.first + s->executions + 1;
    to->event_hash = s->event_hash;
    to->steps = (uint64_t)s->event_count + s->events_lost;
    to->errors_passed = engine.errors;
    to->story = story;
    to->choice_count = story == UINT32_MAX ? 0 : s->choice_count;
    if (story == UINT32_MAX)
        return;
    memcpy(s->stories + story, s->schedule, s->choice_count * sizeof *s->schedule);
    if (story == s->story_used)
        s->story_used += s->choice_count;
}

static void count(struct worker_shared *s, struct worker_finding *f)
{
    f->executions += f->run != run;
    f->run = run;
    s->failed += last_failed != run;
    last_failed = run;
}

uint32_t findings_add(struct worker_shared *s)
{
    static struct worker_finding found; /* stacks of threads are small */
    if (findings_ignored)
        return UINT32_MAX;
    found = (struct worker_finding){.error = s->error};
    find_places(&found);
    found.cause = find_cause(s, &found);
    struct worker_finding *old = find(s, found.cause);
    struct worker_finding *to = old ? old : &s->findings[s->finding_count];
    if (!old && s->finding_count == PROTOCOL_FINDINGS) {
        s->findings_lost++;
        return UINT32_MAX;
    }
    if (is_better(s, old))
        keep(s, to, old, &found);
    if (!old)
        s->finding_count++;
    count(s, to);
    return (uint32_t)(to - s->findings);
}

bool findings_count_again(struct worker_shared *s, uint32_t number)
{
    if (number >= s->finding_count)
        return false;
    count(s, &s->findings[number]);
    return true;
}

void findings_recount(struct worker_shared *s)
{
    for (uint32_t k = 0; k < s->finding_count; k++)
        s->findings[k].executions = 0;
    s->failed = 0;
}
