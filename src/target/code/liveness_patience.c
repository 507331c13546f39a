/* SPDX-License-Identifier: Apache-2.0 */
/* Patience: a loop around a load that gives up after so many rounds, by one branch that a counter decides. A round is the code
 * from the load back to it, for as long as the counter is needed: no access but a CAS, after whose success it is not; every
 * way that comes back passes the branch; nothing that it writes, but the counter, is needed where a round begins or, if it has a
 * CAS, where the loop is given up; and every round does the same to the counter, whatever it found. docs/internals/explore/loops.md has the argument. */
#include "target/code/liveness_state.h"

#include "base/memory.h"
#include "base/vec.h"

#include <string.h>

/* Instructions; numbers that are no steps: the load once more, and out of the loop. */
enum { ROUND_MOST = 96, COMES_BACK = ROUND_MOST, LEAVES };

struct round_step {
    size_t at;
    bool after, done;   /* the branch; all ways from there have been followed */
    struct needs found; /* before it: what may depend on what the load, or a CAS, found */
};

struct patience {
    const struct liveness *a;
    size_t load, branch;
    size_t begin; /* of a round, from the branch on */
    struct needs
        *without; /* what would be needed before each instruction if the branch went either way by itself */
    struct needs writes, given_up;
    bool tries; /* a round may have a CAS */
    struct round_step list[ROUND_MOST];
    size_t count;
    /* instructions that are reached from where the loop is left, without an atomic access */
    bool *left;
    VEC(size_t) open;
};

static struct needs difference(struct needs a, struct needs b)
{
    return (struct needs){a.registers & (uint16_t)~b.registers, a.parts & ~b.parts, a.flags && !b.flags};
}

static bool is_empty(struct needs n)
{
    return !n.registers && !n.parts && !n.flags;
}

/* Is anything needed there for the sake of the branch? */
static bool is_counted_at(const struct patience *p, size_t k)
{
    return k < p->a->count && !is_empty(difference(p->a->needs[k], p->without[k]));
}

/* --- instructions of a round ------------------------------------------------------------------------- */

/* What a call returns; other registers that calls may change hold nothing then that can be used. */
static struct needs results_of(const struct liveness *a, size_t call)
{
    bool two = strstr(a->code[call].callee, "128") != NULL;
    return (struct needs){.registers = (uint16_t)(1u << RAX | (two ? 1u << RDX : 0)), .flags = true};
}

static bool add_cas(struct patience *p, size_t k)
{
    const struct liveness *a = p->a;
    size_t success = liveness_way_of_success(a, k);
    if (success >= a->count || is_counted_at(p, success))
        return false;
    p->tries = true;
    liveness_add_needs(&p->writes, results_of(a, k));
    p->writes.parts |= a->effects[k].uses.parts; /* what it expects is overwritten when it fails */
    return true;
}

/* Hooks that change nothing: of accesses of the function's own frame, and fences for the compiler. */
static bool is_own_hook(const struct liveness *a, size_t k)
{
    const char *callee = a->code[k].callee;
    bool own = is_frame(a->states[k].registers[RDI]) && liveness_announces(callee);
    return a->code[k].machine.flow == FLOW_CALL && (own || strcmp(callee, "__tsan_atomic_signal_fence") == 0);
}

/* Is it a read of memory whose result is not used? */
static bool is_vain_read(const struct liveness *a, size_t k)
{
    const struct machine_instruction *i = &a->code[k].machine;
    struct needs after = liveness_needs_after(a, k);
    return i->kind == KIND_MOVE && i->access == ACCESS_OPERAND && !i->memory.writes && !i->locked &&
           i->operands[0].kind == OPERAND_REGISTER && !(i->writes & after.registers);
}

/* What is written for the load, as its arguments are, is gone after it. */
static struct needs left_after_load(const struct patience *p, struct needs writes)
{
    writes.registers &= (uint16_t)~p->a->effects[p->load].kills.registers;
    return writes;
}

static bool is_cas(const struct liveness *a, size_t k)
{
    return a->code[k].machine.flow == FLOW_CALL && strstr(a->code[k].callee, "compare_exchange");
}

static bool add_to_round(struct patience *p, size_t k, bool after)
{
    const struct liveness *a = p->a;
    const struct machine_instruction *i = &a->code[k].machine;
    struct needs writes = {.registers = (uint16_t)i->writes};
    if (is_cas(a, k))
        return add_cas(p, k);
    if (!is_own_hook(a, k) && !is_vain_read(a, k) && !liveness_is_idle(a, k, &writes))
        return false;
    if (i->flow == FLOW_CALL)
        writes = results_of(a, k);
    liveness_add_needs(&p->writes, after ? left_after_load(p, writes) : writes);
    return true;
}

/* --- ways -------------------------------------------------------------------------------------------- */

static bool is_access(const struct code_instruction *i)
{
    return liveness_is_atomic_call(i) && !strstr(i->callee, "fence");
}

static void open_way(struct patience *p, size_t k)
{
    if (k >= p->a->count || p->left[k])
        return;
    p->left[k] = true;
    if (k != p->load && !is_access(&p->a->code[k]))
        vec_push(&p->open, k);
}

/* What follows when the loop is left. */
static void leave(struct patience *p, size_t k)
{
    const struct liveness *a = p->a;
    open_way(p, k);
    while (p->open.len > 0) {
        k = p->open.data[--p->open.len];
        enum machine_flow flow = a->effects[k].flow;
        if (liveness_jumps(flow) && liveness_jumps_by_table(a, k))
            p->left[p->load] = true; /* for all that is known */
        else if (liveness_jumps(flow))
            open_way(p, liveness_target_of(a, k));
        if (liveness_falls_through(flow))
            open_way(p, liveness_next_of(a, k));
        open_way(p, liveness_pad_of(a, k));
    }
}

/* The number of the step there. */
static size_t find_step(const struct patience *p, size_t at, bool after)
{
    size_t n = 0;
    while (n < p->count && (p->list[n].at != at || p->list[n].after != after))
        n++;
    return at == p->load ? COMES_BACK : n < p->count ? n : LEAVES;
}

static bool comes_back(struct patience *p, size_t k, bool after);

/* One way gives up, the other one goes round. */
static bool decides(struct patience *p)
{
    const struct liveness *a = p->a;
    size_t ways[] = {liveness_next_of(a, p->branch), liveness_target_of(a, p->branch)};
    bool first = is_counted_at(p, ways[0]);
    if (ways[0] >= a->count || ways[1] >= a->count || first == is_counted_at(p, ways[1]))
        return false;
    p->begin = ways[!first];
    p->given_up = a->needs[ways[first]];
    leave(p, ways[first]);
    return comes_back(p, p->begin, true);
}

static bool follow_ways(struct patience *p, size_t k, bool after)
{
    const struct liveness *a = p->a;
    enum machine_flow flow = a->effects[k].flow;
    if (k == p->branch)
        return !after && decides(p);
    return (!liveness_falls_through(flow) || comes_back(p, liveness_next_of(a, k), after)) &&
           (!liveness_jumps(flow) || comes_back(p, liveness_target_of(a, k), after));
}

/* Before the branch the loop may be left, where the counter is not needed. */
static bool comes_back(struct patience *p, size_t k, bool after)
{
    if (k == p->load)
        return after;
    if (!is_counted_at(p, k)) {
        leave(p, k);
        return k < p->a->count && !after;
    }
    size_t known = find_step(p, k, after);
    if (known < p->count)
        return p->list[known].done;
    if (p->count == ROUND_MOST || !p->a->reached[k] || !add_to_round(p, k, after))
        return false;
    struct round_step *step = &p->list[p->count++];
    *step = (struct round_step){.at = k, .after = after};
    step->done = follow_ways(p, k, after);
    return step->done;
}

/* --- what depends on what was found ------------------------------------------------------------------ */

struct ways {
    size_t to[2]; /* numbers of steps */
    unsigned count;
};

static struct ways ways_of(const struct patience *p, size_t n)
{
    const struct liveness *a = p->a;
    size_t k = p->list[n].at;
    bool after = p->list[n].after || k == p->branch;
    enum machine_flow flow = a->effects[k].flow;
    struct ways ways = {0};
    if (liveness_falls_through(flow))
        ways.to[ways.count++] = find_step(p, liveness_next_of(a, k), after);
    if (liveness_jumps(flow))
        ways.to[ways.count++] = find_step(p, liveness_target_of(a, k), after);
    return ways;
}

static bool gets_round(const struct patience *p, size_t n, bool *seen)
{
    if (n >= p->count || seen[n])
        return n == COMES_BACK;
    seen[n] = true;
    struct ways ways = ways_of(p, n);
    bool round = false;
    for (unsigned w = 0; w < ways.count; w++)
        round |= gets_round(p, ways.to[w], seen);
    return round;
}

/* Does every round have that step? */
static bool is_in_all(const struct patience *p, size_t n)
{
    bool seen[ROUND_MOST] = {false};
    seen[n] = true;
    return !gets_round(p, 0, seen);
}

static bool looks_at_carry(const struct machine_instruction *branch)
{
    unsigned either = branch->condition & ~1u; /* or the opposite */
    return either == CONDITION_BELOW || either == CONDITION_NOT_ABOVE;
}

/* Are all flags that the branch looks at set there? Where the carry flag is left as it was, it must be the next one. */
static bool sets_flags(const struct patience *p, size_t k)
{
    const struct machine_instruction *i = &p->a->code[k].machine;
    bool steps = i->kind == KIND_INCREMENT || i->kind == KIND_DECREMENT;
    return liveness_overwrites_flags(i) || (steps && liveness_next_of(p->a, k) == p->branch &&
                                            !looks_at_carry(&p->a->code[p->branch].machine));
}

/* What calls leave in registers is not followed, nor is what only some rounds do. */
static struct needs found_after(const struct patience *p, size_t n)
{
    const struct liveness *a = p->a;
    size_t k = p->list[n].at;
    const struct effect *e = &a->effects[k];
    const struct machine_instruction *i = &a->code[k].machine;
    struct needs found = p->list[n].found, writes,
                 kills = {e->kills.registers, e->kills.parts, sets_flags(p, k)};
    if (i->flow == FLOW_CALL) {
        liveness_add_needs(&found, (struct needs){kills.registers, e->uses.parts, true});
        return found;
    }
    struct needs reads = {e->uses.registers, e->uses.parts | e->restores.parts,
                          (i->reads & MACHINE_FLAGS) != 0};
    if (liveness_is_idle(a, k, &writes) && !liveness_overlap(&reads, &found) && is_in_all(p, n))
        return difference(found, kills);
    liveness_add_needs(&found, writes);
    return found;
}

static struct needs counters_of(const struct patience *p)
{
    return difference(p->a->needs[p->load], p->without[p->load]);
}

/* Passes on what is found there. False: the counter depends on it, in the next round. */
static bool spread(struct patience *p, size_t n, bool *changed)
{
    struct needs found = found_after(p, n), counters = counters_of(p);
    struct ways ways = ways_of(p, n);
    for (unsigned w = 0; w < ways.count; w++) {
        if (ways.to[w] == COMES_BACK && liveness_overlap(&found, &counters))
            return false;
        struct needs *next = ways.to[w] < p->count ? &p->list[ways.to[w]].found : &found;
        struct needs more = difference(found, *next);
        *changed |= more.registers || more.parts || more.flags;
        liveness_add_needs(next, found);
    }
    return true;
}

/* Does what the load finds, or whether a CAS was tried, make a difference to how many rounds there are? */
static bool counts_what_it_finds(struct patience *p)
{
    p->list[0].found = (struct needs){.registers = p->a->effects[p->load].kills.registers, .flags = true};
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = 0; n < p->count; n++)
            if (!spread(p, n, &changed))
                return true;
    }
    size_t decides = find_step(p, p->branch, false);
    return decides >= p->count || p->list[decides].found.flags;
}

/* --- counters ---------------------------------------------------------------------------------------- */

/* Is what is needed at the load for the sake of that branch alone a counter of rounds? */
static bool decides_patience(struct patience *p)
{
    const struct liveness *a = p->a;
    p->writes = results_of(a, p->load);
    return is_counted_at(p, p->load) && comes_back(p, liveness_next_of(a, p->load), false) && p->begin != 0 &&
           !p->left[p->load] && !counts_what_it_finds(p) &&
           !liveness_overlap(&p->writes, &p->without[p->begin]) &&
           !(p->tries && liveness_overlap(&p->writes, &p->given_up));
}

/* What a round may consist of, whatever the counter is. */
static bool may_be_in_round(const struct liveness *a, size_t k)
{
    struct needs writes;
    return is_cas(a, k) || is_own_hook(a, k) || is_vain_read(a, k) || liveness_is_idle(a, k, &writes);
}

static bool is_listed(const size_t *list, size_t count, size_t k)
{
    while (count > 0 && list[count - 1] != k)
        count--;
    return count > 0;
}

/* The branches that a round may have; none: it does not come back. */
static size_t find_branches(const struct liveness *a, size_t load, size_t branches[ROUND_MOST])
{
    size_t list[2 * ROUND_MOST] = {liveness_next_of(a, load)}, listed = 1, count = 0;
    bool back = false;
    for (size_t n = 0; n < listed; n++) {
        size_t k = list[n];
        back |= k == load;
        if (k >= a->count || k == load || !a->reached[k] || !may_be_in_round(a, k))
            continue;
        size_t ways[] = {liveness_falls_through(a->effects[k].flow) ? liveness_next_of(a, k) : a->count,
                         liveness_jumps(a->effects[k].flow) ? liveness_target_of(a, k) : a->count};
        for (unsigned w = 0; w < 2 && listed < 2 * ROUND_MOST; w++)
            if (!is_listed(list, listed, ways[w]))
                list[listed++] = ways[w];
        if (a->code[k].machine.flow == FLOW_BRANCH && !a->idle[k].idle && count < ROUND_MOST)
            branches[count++] = k;
    }
    return back ? count : 0;
}

/* Those that are called again are entered by this. */
static bool announces_entry(const struct liveness *a)
{
    for (size_t k = 0; k < a->count; k++)
        if (strcmp(a->code[k].callee, "__tsan_func_entry") == 0)
            return true;
    return false;
}

bool liveness_is_patient(const struct liveness *a, size_t load, struct needs *rest)
{
    size_t branches[ROUND_MOST];
    bool loads = strstr(a->code[load].callee, "_load") != NULL, is = false;
    size_t count = loads ? find_branches(a, load, branches) : 0;
    for (size_t k = 0; k < count && !is && announces_entry(a); k++) {
        struct patience p = {.a = a,
                             .load = load,
                             .branch = branches[k],
                             .without = liveness_needs_without(a, branches[k]),
                             .left = NEW_ZEROED(bool, a->count)};
        is = decides_patience(&p);
        *rest = p.without[load];
        free(p.left), free(p.without);
        vec_free(&p.open);
    }
    return is;
}
