/* SPDX-License-Identifier: Apache-2.0 */
/* --result of `plumb check`. */
#include "cli/check/check_program.h"
#include "cli/common/shard_result.h"

#include <stdlib.h>
#include <string.h>

static void add_limits(struct shard_record *r, const struct campaign *c)
{
    OWNED char *part = campaign_describe_part(&c->options.shard);
    shard_texts *list = c->verdict == VERDICT_INCONCLUSIVE ? &r->limits : &r->notes;
    for (size_t k = 0; k < c->limits.len; k++)
        if (strcmp(c->limits.data[k], part) != 0)
            shard_add_text(list, c->limits.data[k]);
}

static void add_unseen(struct shard_record *r, const struct campaign *c)
{
    struct text t = {0};
    if (campaign_is_violated(c))
        unseen_add_found(&c->scope.unseen, &t);
    else
        unseen_add_text(&c->scope.unseen, &t);
    if (t.len)
        shard_add_text(&r->notes, t.data + strlen("; "));
    text_free(&t);
}

bool check_write_shard(const struct campaign *c)
{
    const struct campaign_result *result = &c->result;
    const struct campaign_division *division = &result->division;
    struct shard_record r = {.division = division->digest,
                             .answer = c->verdict == VERDICT_SURVIVED ? VERDICT_HOLDS : c->verdict,
                             .numbers = {[SHARD_EXECUTIONS] = result->executions,
                                         [SHARD_BLOCKED] = result->blocked,
                                         [SHARD_REFUTED] = result->refuted,
                                         [SHARD_CUT] = result->cut,
                                         [SHARD_PIECES] = division->pieces}};
    if (c->verdict == VERDICT_NONE)
        return true; /* the shard is missing */
    add_limits(&r, c);
    add_unseen(&r, c);
    for (size_t k = 0; k < division->object_count; k++)
        vec_push(&r.objects, division->objects[k]);
    if (campaign_is_violated(c))
        shard_result_add_error(&r, c);
    return shard_result_save(&r, &(struct shard_origin){.text = &cli_check_text,
                                                        .settings = &c->options,
                                                        .shard = &c->options.shard,
                                                        .program = c->program,
                                                        .source = &c->source});
}
