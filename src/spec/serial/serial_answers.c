/* SPDX-License-Identifier: Apache-2.0 */
/* What operations answer in serial runs. The checker's numbers are one for nothing, 0 and false, and it knows no strings and arrays: answers of an operation that
 * has such are numbered. */
#include "base/text.h"
#include "history/value_text.h"
#include "spec/serial/serial_table.h"

#include <stdio.h>
#include <string.h>

static bool needs_no_pool(plumb_value v)
{
    enum { LARGEST = 254 };
    return v == PLUMB_OK || v == PLUMB_NONE || plumb_is_bool(v) ||
           (plumb_is_int(v) && plumb_tag_of(v) == PLUMB_TAG_SMALL && plumb_int_of(NULL, v) >= 0 &&
            plumb_int_of(NULL, v) < LARGEST);
}

/* --- one answer -------------------------------------------------------------------------------------------- */

uint32_t table_find_answer(struct serial_table *t, const struct plumb_values *values, uint32_t op,
                           plumb_value answer, bool adds)
{
    struct text text = {0};
    uint32_t number = 0, found = UINT32_MAX;
    value_print(&text, values, answer);
    bool fits = text.len < TABLE_TEXT;
    for (uint32_t i = 0; i < t->answer_count && fits && found == UINT32_MAX; i++)
        if (t->answers[i].op == op) {
            number++;
            found = strcmp(t->answers[i].text, text.data) == 0 ? i : found;
        }
    if (found == UINT32_MAX && adds && fits && t->answer_count < TABLE_ANSWERS_MAX &&
        number < TABLE_NUMBERS_MAX) {
        struct table_answer *a = &t->answers[found = t->answer_count++];
        *a = (struct table_answer){
            .op = op, .number = number, .value = needs_no_pool(answer) ? answer : PLUMB_ANY};
        snprintf(a->text, sizeof a->text, "%s", text.data);
    }
    text_free(&text);
    return found;
}

/* --- all of an operation ------------------------------------------------------------------------------------ */

struct kinds {
    bool ok, none, no, yes, number, zero, other;
};

static struct kinds kinds_of(const struct serial_table *t, uint32_t op)
{
    struct kinds k = {0};
    for (uint32_t i = 0; i < t->answer_count; i++) {
        plumb_value v = t->answers[i].value;
        if (t->answers[i].op != op)
            continue;
        k.ok |= v == PLUMB_OK;
        k.none |= v == PLUMB_NONE;
        k.yes |= v == PLUMB_TRUE;
        k.no |= v == PLUMB_FALSE;
        k.number |= plumb_is_int(v);
        k.zero |= plumb_is_int(v) && plumb_int_of(NULL, v) == 0;
        k.other |= v == PLUMB_ANY;
    }
    return k;
}

static void settle(struct serial_table *t, uint32_t op)
{
    struct kinds k = kinds_of(t, op);
    bool truth = k.yes || k.no;
    struct table_op *o = &t->ops[op];
    o->is_numbered =
        k.other || (k.none && (truth || k.zero)) || (truth && k.number) || (k.ok && (k.yes || k.number));
    if (o->is_numbered)
        snprintf(o->results, sizeof o->results, "i");
    else
        snprintf(o->results, sizeof o->results, "%s%s%s%s", k.ok || !(k.none || truth || k.number) ? "k" : "",
                 truth ? "b" : "", k.none ? "N" : "",
                 !k.number ? ""
                 : k.none  ? "v"
                           : "i");
}

static bool never_changes(struct serial_table *t, uint32_t op)
{
    uint32_t end = op + 1 < t->op_count ? t->ops[op + 1].first_call : t->calls;
    for (uint32_t s = 0; s < t->state_count; s++)
        for (uint32_t thread = 0; thread < t->threads; thread++)
            for (uint32_t c = t->ops[op].first_call; c < end; c++) {
                uint32_t to = table_edge(t, s, thread, c)->to;
                if (to < TABLE_UNKNOWN && to != s)
                    return false;
            }
    return true;
}

void table_settle_answers(struct serial_table *t)
{
    for (uint32_t op = 0; op < t->op_count; op++)
        t->ops[op].reads = never_changes(t, op);
    for (uint32_t op = 0; op < t->op_count; op++)
        settle(t, op);
    for (uint64_t i = 0; i < (uint64_t)t->state_count * t->threads * t->calls; i++) {
        struct table_edge *e = &t->edges[i];
        if (e->to >= TABLE_UNKNOWN)
            continue;
        const struct table_answer *a = &t->answers[e->answer];
        e->answer = t->ops[a->op].is_numbered ? plumb_int(NULL, a->number) : a->value;
    }
}
