/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/calls/calls_state.h"

#include <string.h>

/* ------------------------------------------------------------------ names as numbers, in all executions */

static const struct plumb_structure *structures[CALLS_INTERFACES];
static uint32_t structure_count;
static struct calls_interface interfaces[CALLS_INTERFACES];
static uint32_t interface_count;

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_structure(const struct plumb_structure *a, const struct plumb_structure *b)
{
    return a == b ||
           (a && b && is_same_text(a->name, b->name) && is_same_text(a->place.file, b->place.file) &&
            a->place.line == b->place.line && a->place.column == b->place.column && a->size == b->size);
}

/* UINT32_MAX: there are too many. */
static uint32_t number_structure(const struct plumb_structure *s)
{
    for (uint32_t k = 0; k < structure_count; k++)
        if (is_same_structure(structures[k], s))
            return k;
    if (structure_count == CALLS_INTERFACES)
        return UINT32_MAX;
    structures[structure_count] = s;
    return structure_count++;
}

static uint32_t find_interface(uint32_t structure, const char *name)
{
    for (uint32_t k = 0; k < interface_count; k++)
        if (interfaces[k].structure == structure && is_same_text(interfaces[k].first->name, name))
            return k;
    return UINT32_MAX;
}

static uint32_t number_interface(const struct plumb_interface *i)
{
    uint32_t structure = number_structure(i->structure), found = find_interface(structure, i->name);
    if (found != UINT32_MAX || structure == UINT32_MAX || interface_count == CALLS_INTERFACES)
        return found;
    interfaces[interface_count] = (struct calls_interface){i, structure};
    return interface_count++;
}

uint32_t calls_structures(void)
{
    return structure_count;
}

/* ------------------------------------------------------------------ this execution */

static uint32_t number_object(struct calls_question *q, const struct call *c, uint32_t structure)
{
    for (uint32_t k = 0; k < q->object_count; k++)
        if (q->objects[k].number == structure && q->objects[k].object == c->object)
            return k;
    q->objects[q->object_count] = (struct calls_object){c->interface->structure, structure, c->object, NULL};
    return q->object_count++;
}

/* A bit of the conditions of the interface; 0: none is asked for. */
static uint64_t condition_bit(const struct plumb_interface *i, const char *name,
                              const struct plumb_rule *rule)
{
    if (!name)
        return 0;
    for (uint32_t k = 0; i->conditions && i->conditions[k] && k < 64; k++)
        if (is_same_text(i->conditions[k], name))
            return UINT64_C(1) << k;
    calls_refuse(&rule->place, "%s has no condition %s", i->name, name);
}

static bool add_rule(struct calls_question *q, uint32_t structure, uint32_t number)
{
    const struct plumb_rule *r = &structures[structure]->rules[number];
    uint32_t from = find_interface(structure, r->from), to = find_interface(structure, r->to);
    if (from == UINT32_MAX || to == UINT32_MAX)
        return true; /* no such call has ever been */
    if (q->question.rule_count == CALLS_RULES)
        return false;
    q->sources[q->question.rule_count] = r;
    q->rules[q->question.rule_count++] =
        (struct ordering_rule){from, to, condition_bit(interfaces[from].first, r->from_condition, r),
                               condition_bit(interfaces[to].first, r->to_condition, r), number};
    return true;
}

static bool add_rules(struct calls_question *q)
{
    for (uint32_t s = 0; s < structure_count; s++)
        for (uint32_t k = 0; structures[s] && k < structures[s]->rule_count; k++)
            if (!add_rule(q, s, k))
                return false;
    return true;
}

bool calls_build(struct calls_question *q, const struct graph *g)
{
    q->question = (struct ordering_question){
        .calls = q->calls, .count = calls.count, .rules = q->rules, .before = q->before};
    q->graph = g;
    q->object_count = 0;
    for (uint32_t k = 0; k < calls.count; k++) {
        const struct call *c = &calls.list[k];
        uint32_t interface = number_interface(c->interface);
        if (interface == UINT32_MAX)
            return false;
        q->calls[k] = (struct ordering_call){
            .interface = interface,
            .object = number_object(q, c, interfaces[interface].structure),
            .id = c->id,
            .conditions = c->conditions,
            .points = q->points + k * CALL_POINTS,
            .point_count = c->point_count,
            .end_number = c->is_open ? UINT32_MAX - c->depth : c->over_mark,
            .completed = c->completed,
        };
    }
    return add_rules(q);
}
