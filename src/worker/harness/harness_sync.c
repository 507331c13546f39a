/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of synchronization that a harness names (PLUMB_SYNC). */
#include "base/text.h"
#include "graph/model.h"
#include "spec/sync_rules.h"
#include "worker/harness/harness_state.h"
#include "worker/verdict/verdict_history.h"

void harness_check_sync(const struct plumb_part *rule)
{
    const char *const names[] = {rule->name, rule->text};
    for (int k = 0; k < 2; k++)
        if (!harness_find_part(PLUMB_PART_OP, rule->object, names[k]))
            harness_refuse_at(rule, "PLUMB_SYNC names an operation '%s' that the harness does not have",
                              names[k]);
    if (!harness_find_part(PLUMB_PART_OP, rule->object, rule->name)->types[0])
        harness_refuse_at(rule,
                          "PLUMB_SYNC: '%s' has no argument, by which what '%s' answers could be recognised",
                          rule->name, rule->text);
}

/* The calls of that operation, by number in the test; those that there are too many of are not judged at all. */
static uint64_t calls_of(const struct plumb_part *operation)
{
    uint64_t calls = 0;
    for (uint32_t i = 0; i < harness.matrix.ops.len && i < 64; i++)
        if (harness.matrix.ops.data[i].operation == operation)
            calls |= UINT64_C(1) << i;
    return calls;
}

static struct judge_named_rule rule_of(const struct plumb_part *p)
{
    struct text t = {0};
    text_printf(&t, "PLUMB_SYNC%s(%s%s%s, %s)", *p->object ? "_ON" : "", p->object, *p->object ? ", " : "",
                p->name, p->text);
    return (struct judge_named_rule){.earlier =
                                         calls_of(harness_find_part(PLUMB_PART_OP, p->object, p->name)),
                                     .later = calls_of(harness_find_part(PLUMB_PART_OP, p->object, p->text)),
                                     .text = text_take(&t),
                                     .file = p->file,
                                     .line = p->line};
}

static bool has_own_rules(bool all)
{
    for (size_t i = 0; i < harness.specs.len; i++)
        if (sync_rules_of(harness.specs.data[i], all))
            return true;
    return false;
}

void harness_read_sync(void)
{
    static VEC(struct judge_named_rule) rules;
    for (size_t i = 0; i < harness.parts.len; i++)
        if (harness.parts.data[i]->kind == PLUMB_PART_SYNC)
            vec_push(&rules, rule_of(harness.parts.data[i]));
    judge_set_rules(rules.data, (uint32_t)rules.len);
    const struct worker_config *c = &harness.shared->config;
    harness.shared->synchronizes = c->sync != SYNC_NONE && model_is(c->memory, MODEL_LANGUAGE) &&
                                   (rules.len || has_own_rules(c->sync == SYNC_ALL));
}
