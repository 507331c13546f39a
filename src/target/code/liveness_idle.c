/* SPDX-License-Identifier: Apache-2.0 */
/* Idle code: assignments, pauses and yields. A branch is idle if all of its ways lead to one place by idle code, without
 * coming back anywhere but in loops that count, and what they write is not needed there: which way was taken makes no difference. Divisions may fail, and so may
 * accesses of memory that is not the frame's. */
#include "target/code/liveness_state.h"
#include "base/text.h"

#include <string.h>

enum { REGION_MOST = 48 }; /* instructions */

/* --- assignments ------------------------------------------------------------------------------------ */

bool liveness_only_computes(const struct machine_instruction *i)
{
    static const char *const others[] = {"shl",   "shr",   "sar",    "rol", "ror",  "imul", "mul",
                                         "movzx", "movsx", "movsxd", "cdq", "cdqe", "cqo",  NULL};
    switch (i->kind) {
    case KIND_MOVE:
    case KIND_MOVE_IF:
    case KIND_SET_IF:
    case KIND_ADDRESS:
    case KIND_ADD:
    case KIND_INCREMENT:
    case KIND_SUBTRACT:
    case KIND_DECREMENT:
    case KIND_AND:
    case KIND_OR:
    case KIND_XOR:
    case KIND_NOT:
    case KIND_NEGATE:
    case KIND_COMPARE:
    case KIND_TEST: return true;
    case KIND_OTHER: return text_is_one_of(i->name, others);
    default: return false;
    }
}

/* False: it accesses other memory than words of the frame that are distinguished. */
static bool stays_in_frame(const struct machine_instruction *i, const struct frame_state *s,
                           frame_parts *writes)
{
    *writes = 0;
    if (i->access == ACCESS_NONE)
        return true;
    int32_t place = liveness_place_of(&i->memory, s);
    int64_t end = (int64_t)place + i->memory.size;
    if (i->access != ACCESS_OPERAND || i->locked || i->memory.own || i->memory.narrow || !is_frame(place) ||
        place < -FOLD_PARTS * FOLD_PART || end > 0)
        return false;
    if (i->memory.writes)
        *writes = liveness_parts_of(place, i->memory.size, false);
    return true;
}

bool liveness_assigns(const struct liveness *a, size_t k, struct needs *writes)
{
    const struct machine_instruction *i = &a->code[k].machine;
    *writes = (struct needs){.registers = (uint16_t)i->writes, .flags = (i->writes & MACHINE_FLAGS) != 0};
    if (i->flow != FLOW_ON || !liveness_only_computes(i) || (i->reads | i->writes) & MACHINE_VECTORS ||
        i->writes >> RSP & 1 || i->writes >> RBP & 1 || !stays_in_frame(i, &a->states[k], &writes->parts))
        return false;
    return !writes->parts || !liveness_is_known_to_others(a, k); /* what it writes to the frame may be read */
}

/* --- branches --------------------------------------------------------------------------------------- */

struct region {
    const struct liveness *a;
    size_t branch, join;
    size_t list[REGION_MOST];
    bool done[REGION_MOST]; /* all ways from there lead to the join */
    size_t count;
    struct needs writes;
};

bool liveness_is_idle(const struct liveness *a, size_t k, struct needs *writes)
{
    const struct machine_instruction *i = &a->code[k].machine;
    *writes = (struct needs){0};
    if (i->flow == FLOW_CALL) {
        if (known_call_kind_of(a->code[k].callee) != CALL_YIELDS || liveness_pad_of(a, k) < a->count)
            return false;
        *writes = (struct needs){.registers = a->effects[k].kills.registers, .flags = true};
    } else if (i->flow == FLOW_JUMP || i->flow == FLOW_BRANCH) {
        if (liveness_jumps_by_table(a, k) || i->writes || i->reads & ~MACHINE_FLAGS)
            return false;
    } else if (i->kind != KIND_NOTHING && !liveness_assigns(a, k, writes)) {
        return false;
    }
    return i->flow != FLOW_RETURN && i->flow != FLOW_END;
}

/* --- loops that count ------------------------------------------------------------------------------- */

static bool is_whole(const struct machine_operand *o)
{
    return o->kind == OPERAND_REGISTER && !o->high_byte && o->size >= 4;
}

/* One more or one less in a register. */
static bool counts(const struct machine_instruction *i)
{
    bool one = i->kind == KIND_INCREMENT || i->kind == KIND_DECREMENT;
    int64_t by = i->operands[0].size == 4 ? (int32_t)i->operands[1].constant : i->operands[1].constant;
    bool constant = (i->kind == KIND_ADD || i->kind == KIND_SUBTRACT) && i->operand_count == 2 &&
                    i->operands[1].kind == OPERAND_CONSTANT && (by == 1 || by == -1);
    return (one || constant) && is_whole(&i->operands[0]);
}

/* From the first instruction to the branch, straight on, the branch itself not included. */
struct counting {
    const struct liveness *a;
    size_t first, branch;
};

static bool writes_register(const struct liveness *a, size_t k, unsigned number)
{
    struct needs writes;
    liveness_is_idle(a, k, &writes);
    return writes.registers >> number & 1;
}

/* The only one that writes the register; `count`: there is none, or there are several. */
static size_t only_writer(const struct counting *c, unsigned number)
{
    size_t found = c->a->count, writers = 0;
    for (size_t k = c->first; k < c->branch; k++)
        if (writes_register(c->a, k, number)) {
            found = k;
            writers++;
        }
    return writers == 1 ? found : c->a->count;
}

static bool is_counter(const struct counting *c, const struct machine_operand *o)
{
    if (!is_whole(o))
        return false;
    size_t k = only_writer(c, o->number);
    return k < c->a->count && counts(&c->a->code[k].machine) &&
           c->a->code[k].machine.operands[0].size == o->size;
}

static bool stays(const struct counting *c, const struct machine_operand *o)
{
    if (o->kind == OPERAND_CONSTANT)
        return true;
    for (size_t k = c->first; is_whole(o) && k < c->branch; k++)
        if (writes_register(c->a, k, o->number))
            return false;
    return is_whole(o);
}

/* The flags say whether the counter is zero, or what it is compared with. */
static bool ends_by_counting(const struct counting *c, size_t flags)
{
    const struct machine_instruction *i = &c->a->code[flags].machine;
    const struct machine_operand *l = &i->operands[0], *r = &i->operands[1];
    if (counts(i))
        return is_counter(c, l);
    return i->kind == KIND_COMPARE && i->operand_count == 2 &&
           ((is_counter(c, l) && stays(c, r)) || (is_counter(c, r) && stays(c, l)));
}

/* A branch back, while a counter that goes up or down by one is not equal to something that stays: whatever that is, it becomes
 * equal, so that the loop ends. Its body is idle code; what it writes. */
static bool is_counted_loop(const struct liveness *a, size_t k, struct needs *writes)
{
    const struct machine_instruction *i = &a->code[k].machine;
    *writes = (struct needs){0};
    if (i->flow != FLOW_BRANCH || i->condition != CONDITION_NOT_EQUAL || i->writes ||
        i->reads & ~MACHINE_FLAGS)
        return false;
    struct counting c = {a, liveness_target_of(a, k), k};
    size_t flags = a->count;
    if (c.first >= k || k - c.first > REGION_MOST)
        return false;
    for (size_t n = c.first; n < k; n++) {
        struct needs one;
        if (!a->reached[n] || a->effects[n].flow != FLOW_ON || liveness_next_of(a, n) != n + 1 ||
            !liveness_is_idle(a, n, &one))
            return false;
        liveness_add_needs(writes, one);
        if (one.flags)
            flags = n;
    }
    return flags < k && ends_by_counting(&c, flags);
}

/* --- regions ---------------------------------------------------------------------------------------- */

/* Adds what it writes; false: it does more than idle code. */
static bool add_idle(struct region *r, size_t k)
{
    struct needs writes;
    bool idle = liveness_is_idle(r->a, k, &writes);
    liveness_add_needs(&r->writes, writes);
    return idle;
}

static bool leads_to_join(struct region *r, size_t k);

static bool ways_lead_to_join(struct region *r, size_t k)
{
    enum machine_flow flow = r->a->effects[k].flow;
    struct needs loop;
    if (is_counted_loop(r->a, k, &loop)) {
        liveness_add_needs(&r->writes, loop);
        return leads_to_join(r, liveness_next_of(r->a, k));
    }
    return (!liveness_falls_through(flow) || leads_to_join(r, liveness_next_of(r->a, k))) &&
           (!liveness_jumps(flow) || leads_to_join(r, liveness_target_of(r->a, k)));
}

/* By idle code, and without coming back. */
static bool leads_to_join(struct region *r, size_t k)
{
    if (k == r->join)
        return true;
    if (k >= r->a->count || k == r->branch)
        return false;
    for (size_t n = 0; n < r->count; n++)
        if (r->list[n] == k)
            return r->done[n];
    if (r->count == REGION_MOST || !r->a->reached[k] || !add_idle(r, k))
        return false;
    size_t at = r->count++;
    r->list[at] = k;
    r->done[at] = ways_lead_to_join(r, k);
    return r->done[at];
}

/* Where its ways could meet: what it reaches by the code that follows on one of them. */
static size_t next_on_way(const struct liveness *a, size_t k)
{
    bool jumps = a->effects[k].flow == FLOW_JUMP && !liveness_jumps_by_table(a, k);
    return jumps ? liveness_target_of(a, k) : liveness_next_of(a, k);
}

/* Every way passes the place where all meet. */
struct idle_branch liveness_idle_branch(const struct liveness *a, size_t k)
{
    const struct machine_instruction *i = &a->code[k].machine;
    if (i->flow != FLOW_BRANCH || i->writes || i->reads & ~MACHINE_FLAGS)
        return (struct idle_branch){0};
    size_t join = liveness_next_of(a, k);
    for (unsigned n = 0; n < REGION_MOST && join < a->count && join != k; n++) {
        struct region r = {.a = a, .branch = k, .join = join};
        if (a->reached[join] && ways_lead_to_join(&r, k))
            return (struct idle_branch){true, join, r.writes};
        struct region alone = {.a = a, .branch = k, .join = a->count};
        if (!add_idle(&alone, join))
            break;
        join = next_on_way(a, join);
    }
    return (struct idle_branch){0};
}
