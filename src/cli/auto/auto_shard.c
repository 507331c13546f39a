/* SPDX-License-Identifier: Apache-2.0 */
/* --result of `plumb auto`. */
#include "cli/auto/auto.h"
#include "cli/common/shard_result.h"

#include <string.h>

static void add_failing(struct shard_record *r, const struct autotest *a, const struct campaign *failing)
{
    r->failing = a->failing_number + 1;
    if (campaign_is_violated(failing))
        shard_result_add_error(r, failing);
    struct text t = {0};
    text_printf(&t, "%s  failing test: %s\n", r->report ? r->report : "", a->smallest);
    free(r->report);
    r->report = text_take(&t);
}

bool auto_write_shard(const struct autotest *a, const struct campaign *failing)
{
    struct shard_record r = {.answer = a->answer,
                             .numbers = {[SHARD_TESTS] = a->passed + a->failed + a->unknown,
                                         [SHARD_PASSED] = a->passed,
                                         [SHARD_FAILED] = a->failed,
                                         [SHARD_INCONCLUSIVE] = a->unknown,
                                         [SHARD_EXECUTIONS] = a->executions,
                                         [SHARD_STOPPED] = a->stopped,
                                         [SHARD_LARGER_TESTS] = a->larger.tests,
                                         [SHARD_LARGER_EXECUTIONS] = a->larger.executions}};
    struct text reasons = {0}, size = {0};
    auto_add_size(&size, a);
    r.size = text_take(&size);
    bool has_run = a->answer != VERDICT_HOLDS || r.numbers[SHARD_TESTS]; /* else others have */
    if (has_run)
        auto_add_reasons(&reasons, a);
    if (!failing)
        unseen_add_text(&a->scope.unseen, &reasons);
    if (reasons.len)
        shard_result_add_texts(a->answer == VERDICT_INCONCLUSIVE ? &r.limits : &r.notes,
                               reasons.data + strlen("; "));
    text_free(&reasons);
    if (failing)
        add_failing(&r, a, failing);
    return shard_result_save(&r, &(struct shard_origin){.text = &cli_auto_text,
                                                        .settings = &a->options,
                                                        .shard = &a->options.shard,
                                                        .program = a->program,
                                                        .source = &a->source});
}
