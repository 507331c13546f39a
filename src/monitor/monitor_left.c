/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/monitor_run.h"

void left_add(struct run *r, const struct part *p, const struct decision *d)
{
    struct left_part left = {*p, r->object, d->why, d->legal_events};
    vec_push(&r->left, left);
}

void left_keep_partition(struct run *r, struct partition *split, size_t left)
{
    if (r->left.len > left)
        vec_push(&r->partitions, *split);
    else
        partition_free(split);
}

/* ---- in other processes ---- */

enum answer { UNKNOWN, HOLDS, PUT_OFF };

struct question {
    struct run *r;
    const struct left_part *parts;
};

/* In a process of its own, which certifies an order that it finds. A violation, and whatever a limit ended, is looked at
 * again by the one that asked. */
static uint8_t ask_about(void *argument, uint32_t k)
{
    const struct question *q = argument;
    struct run *r = q->r;
    r->settings->budget->bytes_max /= r->settings->helpers->jobs;
    r->object = q->parts[k].object;
    r->left.len = 0;
    monitor_search_part(r, &q->parts[k].part, q->parts[k].why);
    enum verdict verdict = r->out->verdict;
    r->out->verdict = VERDICT_NONE;
    r->settings->budget->bytes_max *= r->settings->helpers->jobs;
    if (r->left.len)
        return PUT_OFF;
    return verdict == VERDICT_NONE ? HOLDS : UNKNOWN;
}

/* What each of the parts is known to be, as far as helpers found out. */
static void ask_helpers(struct run *r, const struct left_part *parts, size_t count, uint8_t *answers)
{
    struct question q = {r, parts};
    const struct monitor_helpers *helpers = r->settings->helpers;
    if (helpers && helpers->jobs > 1 && count > 1 && !r->settings->keep_witnesses)
        helpers->run(helpers, (uint32_t)count, ask_about, &q, answers);
}

/* ---- in turn ---- */

static void give_up(struct run *r, const struct left_part *l)
{
    struct decision d = {.why = l->why, .legal_events = l->legal_events};
    if (r->out->verdict != VERDICT_VIOLATED)
        monitor_meet_limit(r, &l->part, &d, "in the general search");
}

/* Each of them once. What is put off again is in r->left. */
static void try_again(struct run *r, const struct left_part *parts, size_t count)
{
    OWNED uint8_t *answers = NEW_ZEROED(uint8_t, count);
    ask_helpers(r, parts, count, answers);
    for (size_t k = 0; k < count; k++) {
        const struct left_part *l = &parts[k];
        r->object = l->object;
        if (answers[k] == HOLDS)
            monitor_count_search(r, &l->part, l->why);
        else if (answers[k] == PUT_OFF)
            vec_push(&r->left, *l);
        else if (!monitor_is_over(r))
            monitor_search_part(r, &l->part, l->why);
        else
            give_up(r, l);
    }
}

void left_decide(struct run *r)
{
    while (r->left.len && r->out->verdict != VERDICT_VIOLATED) {
        struct left_part *parts = r->left.data;
        size_t count = r->left.len;
        r->share = count > 1 ? r->share * MONITOR_SHARE_GROWS : 0;
        r->left.data = NULL;
        r->left.len = r->left.cap = 0;
        try_again(r, parts, count);
        free(parts);
    }
}

void left_free(struct run *r)
{
    vec_free(&r->left);
    for (size_t k = 0; k < r->partitions.len; k++)
        partition_free(&r->partitions.data[k]);
    vec_free(&r->partitions);
}
