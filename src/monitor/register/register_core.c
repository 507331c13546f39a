/* SPDX-License-Identifier: Apache-2.0 */
/* Cores of registers. Leaving out reads, whole blocks or the end of a block turns a legal order into a
 * legal order, so what is made here only has to be impossible by itself. */
#include "monitor/register/register_run.h"

void register_core_add(struct register_run *run, uint32_t i)
{
    if (run->d && i != NONE && i != INITIAL_WRITE)
        vec_push(&run->d->core, i);
}

/* Adds what shows that a value with a pending writer was written. Each value on the way was found to be
 * written because of the next one, so the way ends. */
static void register_core_evidence(struct register_run *run, uint32_t value)
{
    const struct register_value *v = &run->values.data[value];
    while (register_pending(run, v->writer)) {
        if (v->first_read != NONE) {
            register_core_add(run, v->quick_read);
            return;
        }
        v = &run->values.data[v->to];
        register_core_add(run, v->writer);
    }
}

void register_core_writers(struct register_run *run, uint32_t value)
{
    register_core_evidence(run, value);
    for (uint32_t v = value; v != NONE; v = run->values.data[v].from)
        register_core_add(run, run->values.data[v].writer);
}

void register_core_block(struct register_run *run, uint32_t root)
{
    const struct register_value *r = &run->values.data[root];
    uint32_t quick = r->first_return == INITIAL_WRITE ? root : run->value_of[r->first_return];
    uint32_t late = run->value_of[r->last_call], deepest = root;
    for (uint32_t v = root; v != NONE; v = run->values.data[v].to)
        if (v == quick || v == late)
            deepest = v;
    register_core_writers(run, deepest);
    register_core_add(run, r->first_return);
    register_core_add(run, r->last_call);
}

void register_core_circle(struct register_run *run, uint32_t start, uint32_t inside)
{
    register_core_evidence(run, start);
    for (uint32_t v = start; v != inside; v = run->values.data[v].from)
        register_core_add(run, run->values.data[v].writer);
    uint32_t v = inside;
    do {
        register_core_add(run, run->values.data[v].writer);
        v = run->values.data[v].from;
    } while (v != inside);
}

void register_core_orphan(struct register_run *run, uint32_t value)
{
    const struct register_value *v = &run->values.data[value];
    if (v->first_read != NONE) {
        register_core_add(run, v->first_read);
    } else {
        register_core_add(run, run->values.data[v->to].writer);
        register_core_evidence(run, v->to);
    }
}
