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

/* Each of them once. What is put off again is in r->left. */
static void try_again(struct run *r, const struct left_part *parts, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const struct left_part *l = &parts[k];
        if (monitor_is_over(r)) {
            struct decision d = {.why = l->why, .legal_events = l->legal_events};
            if (r->out->verdict != VERDICT_VIOLATED)
                monitor_meet_limit(r, &l->part, &d, "in the general search");
            return;
        }
        r->object = l->object;
        monitor_search_part(r, &l->part, l->why);
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
