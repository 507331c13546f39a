/* SPDX-License-Identifier: Apache-2.0 */
/* Queues in which values repeat: equal values are distinguished by giving each addition a value of its own, and the k-th removal
 * of a value that of its k-th addition. A legal order of the renamed history is one of the history. Which addition is the
 * k-th is not known where operations on one value overlap: a few guesses are made. docs/internals/monitor/queue.md */
#include "monitor/container/container.h"
#include "monitor/deciders.h"

#include "base/hash.h"
#include "base/sort.h"

#include <string.h>

/* `PLAIN`: the k-th removal takes the k-th addition, whatever is in front of it. `LOOKS`: at additions in line, over all
 * guesses. */
enum { GUESSES = 512, ROUND = 64, LENIENCES = 4, SHAKEN = 8, WORK = 2 * 1000 * 1000, LOOKS = 100 * WORK };
#define PLAIN UINT32_MAX

struct repeats {
    const struct part *p;
    uint32_t *value;       /* of each operation that has one, else NO_VALUE */
    uint32_t values;       /* how many */
    uint32_t *head, *next; /* additions in line; NO_OP ends it. PLAIN: a line for each value */
    uint64_t looks;
    uint32_t *passed;         /* of each addition: the return of a removal that took a later one */
    uint32_t *pending_before; /* by position: how many pending removals were called before */
    uint64_t *moment;         /* when each operation acts: a guess */
    struct history renamed;   /* its operations are those of the part */
};

static bool adds(const struct repeats *r, uint32_t i)
{
    return part_role(r->p, i) == PLUMB_ADDS;
}

/* ------------------------------------------------------------------ reading */

/* False: peeks, or answers that are not known. */
static bool number_values(struct repeats *r)
{
    struct hash_map numbers = {0};
    bool fits = true;
    for (uint32_t i = 0; i < r->p->order.count && fits; i++) {
        const struct history_op *op = part_op(r->p, i);
        bool open = r->p->order.ret[i] == ORDER_NEVER, add = adds(r, i);
        r->value[i] = NO_VALUE;
        if (!add && (op->pending || op->result == PLUMB_NONE))
            continue;
        fits =
            add || (!open && op->result != PLUMB_ANY && r->p->spec->operations[op->op].role == PLUMB_REMOVES);
        uint32_t *number = hash_map_at(&numbers, add ? op->arg : op->result);
        if (*number == HASH_NO_NUMBER)
            *number = r->values++;
        r->value[i] = *number;
    }
    hash_map_free(&numbers);
    return fits;
}

/* Of two operations that do the same, the one that is called first and returns first may as well act first. So there is
 * nothing to guess when none of them lies within another, and no pending removal takes one of several. */
static bool is_sure(const struct repeats *r)
{
    const struct order *o = &r->p->order;
    uint32_t *latest = NEW_ZEROED(uint32_t, 2 * (size_t)r->values); /* returns, plus one */
    bool sure = true;
    for (uint32_t e = 0; e < o->event_count && sure; e++) {
        uint32_t i = order_event_op(o->event[e]);
        if (order_event_returns(o->event[e]))
            continue;
        if (r->value[i] == NO_VALUE) {
            sure = o->ret[i] != ORDER_NEVER;
            continue;
        }
        uint32_t *seen = &latest[2 * (size_t)r->value[i] + adds(r, i)];
        uint32_t ret = o->ret[i] == ORDER_NEVER ? UINT32_MAX : o->ret[i] + 1;
        sure = *seen <= ret;
        *seen = ret;
    }
    free(latest);
    return sure;
}

/* ------------------------------------------------------------------ counting */

/* Does some value come out more often than it can have been put in by then? */
static bool is_short_of(const struct repeats *r, uint32_t *short_of)
{
    const struct order *o = &r->p->order;
    OWNED uint32_t *inside = NEW_ZEROED(uint32_t, r->values);
    bool enough = true;
    for (uint32_t e = 0; e < o->event_count && enough; e++) {
        uint32_t i = order_event_op(o->event[e]), v = r->value[i];
        bool returns = order_event_returns(o->event[e]);
        if (v == NO_VALUE)
            continue;
        if (adds(r, i)) {
            inside[v] += !returns;
        } else if (returns) {
            enough = inside[v] > 0;
            inside[v] -= enough;
            *short_of = v;
        }
    }
    return !enough;
}

static void add_value_to_core(const struct repeats *r, uint32_t v, struct decision *d)
{
    for (uint32_t i = 0; i < r->p->order.count; i++)
        if (r->value[i] == v)
            vec_push(&d->core, i);
}

static enum verdict report_shortage(const struct repeats *r, uint32_t v, struct decision *d)
{
    add_value_to_core(r, v, d);
    return VERDICT_VIOLATED;
}

/* ------------------------------------------------------------------ guessing */

/* The latest moment at which operation `i` can act; pending ones come after all others. */
static uint64_t latest_moment(const struct repeats *r, uint32_t i)
{
    const struct order *o = &r->p->order;
    return o->ret[i] == ORDER_NEVER ? (uint64_t)o->event_count + o->call[i] : o->ret[i];
}

static bool overlap(const struct order *o, uint32_t a, uint32_t b)
{
    return o->call[a] < o->ret[b] && o->call[b] < o->ret[a];
}

static void move(struct repeats *r, uint32_t i, uint32_t guess)
{
    const struct order *o = &r->p->order;
    if (o->ret[i] != ORDER_NEVER)
        r->moment[i] = o->call[i] + hash_combine(guess, i) % (o->ret[i] - o->call[i]);
}

/* What overlaps one of the first operations of a core may have acted at another time; without a core, anything. */
static void shake(struct repeats *r, const struct decision *failed, uint32_t guess)
{
    const struct order *o = &r->p->order;
    for (size_t k = 0; k < failed->core.len && k < SHAKEN; k++)
        for (uint32_t i = 0; i < o->count; i++)
            if (o->ret[failed->core.data[k]] != ORDER_NEVER && overlap(o, i, failed->core.data[k]))
                move(r, i, guess);
    for (uint32_t i = 0; i < o->count && !failed->core.len; i++)
        if (hash_combine(i, guess) % SHAKEN == 0)
            move(r, i, guess);
}

static uint32_t *line_of(const struct repeats *r, uint32_t i, bool plain)
{
    return &r->head[plain ? r->value[i] : 0];
}

/* The additions that no removal has taken so far, in the order of a guess. */
static void line_up(struct repeats *r, const uint32_t *by_moment, bool plain)
{
    memset(r->head, 0xff, sizeof(uint32_t) * (r->values + 1));
    for (uint32_t k = r->p->order.count; k-- > 0;) {
        uint32_t i = by_moment[k];
        r->passed[i] = ORDER_NEVER;
        if (!adds(r, i))
            continue;
        r->next[i] = *line_of(r, i, plain);
        *line_of(r, i, plain) = i;
    }
}

/* Had it been passed by a removal that returned before this one was called? Then it is gone. */
static bool is_gone(const struct repeats *r, uint32_t add, uint32_t removal)
{
    return r->passed[add] < r->p->order.call[removal];
}

/* The place in the line of what the removal took: the first of its value, if not too many are in front of it that should have
 * left before; else the first pending one. Null: nothing, or it is not known. */
static uint32_t *find_taken(struct repeats *r, uint32_t removal, uint32_t most)
{
    const struct order *o = &r->p->order;
    uint32_t *pending = NULL, before = 0;
    for (uint32_t *at = line_of(r, removal, most == PLAIN); *at != NO_OP;) {
        uint32_t add = *at;
        if (++r->looks > LOOKS)
            return NULL;
        bool fits = r->value[add] == r->value[removal] && o->call[add] < o->ret[removal];
        if (is_gone(r, add, removal)) {
            *at = r->next[add];
            continue;
        }
        if (o->ret[add] == ORDER_NEVER)
            pending = fits && !pending ? at : pending;
        else if (fits && before <= most)
            return at;
        else if (++before > most && pending)
            return pending;
        at = &r->next[add];
    }
    return pending;
}

/* All in front that had returned before the taken one was called left before it. */
static void mark_passed(struct repeats *r, uint32_t taken, uint32_t removal)
{
    const struct order *o = &r->p->order;
    for (uint32_t add = *r->head; add != NO_OP && add != taken; add = r->next[add])
        if (o->ret[add] < o->call[taken] && o->ret[removal] < r->passed[add])
            r->passed[add] = o->ret[removal];
}

/* Every addition is renamed to itself, and a removal to what it took. The first removal that has nothing to take, or NO_OP. */
static uint32_t rename_values(struct repeats *r, const uint32_t *by_moment, uint32_t lenience)
{
    const struct order *o = &r->p->order;
    struct plumb_values *values = r->p->history->values;
    bool plain = lenience == PLAIN;
    line_up(r, by_moment, plain);
    for (uint32_t k = 0; k < o->count; k++) {
        uint32_t i = by_moment[k];
        struct history_op *op = history_change(&r->renamed, i);
        *op = *part_op(r->p, i);
        if (r->value[i] == NO_VALUE)
            continue;
        if (adds(r, i)) {
            op->arg = plumb_int(values, i);
            continue;
        }
        uint32_t *at = find_taken(r, i, plain ? PLAIN : lenience + r->pending_before[o->ret[i]]);
        if (!at)
            return i;
        uint32_t taken = *at;
        if (!plain)
            mark_passed(r, taken, i);
        *at = r->next[taken];
        op->result = plumb_int(values, taken);
    }
    return NO_OP;
}

static void count_pending(struct repeats *r)
{
    const struct order *o = &r->p->order;
    uint32_t count = 0;
    for (uint32_t e = 0; e < o->event_count; e++) {
        uint32_t i = order_event_op(o->event[e]);
        r->pending_before[e] = count;
        count += !order_event_returns(o->event[e]) && o->ret[i] == ORDER_NEVER && !adds(r, i);
    }
}

static enum verdict try_guess(struct repeats *r, uint32_t lenience, struct budget *budget, struct decision *d)
{
    uint32_t count = r->p->order.count;
    uint32_t *by_moment = NEW_ARRAY(uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        by_moment[i] = i;
    sort_by_key(by_moment, count, r->moment);
    struct part renamed = *r->p;
    renamed.history = &r->renamed;
    renamed.ops = NULL;
    uint32_t unmatched = rename_values(r, by_moment, lenience);
    free(by_moment);
    if (unmatched == NO_OP)
        return queue_decide(&renamed, budget, d);
    vec_push(&d->core, unmatched);
    return VERDICT_NONE;
}

/* Under their own names, all operations on a value belong together. */
static void complete_core(const struct repeats *r, struct decision *d)
{
    OWNED uint8_t *in_core = NEW_ZEROED(uint8_t, r->values);
    size_t found = d->core.len;
    for (size_t k = 0; k < found; k++) {
        uint32_t v = r->value[d->core.data[k]];
        if (v != NO_VALUE && !in_core[v]) {
            in_core[v] = 1;
            add_value_to_core(r, v, d);
        }
    }
}

/* All as late as possible, or as early. */
static void start_again(struct repeats *r, bool early)
{
    for (uint32_t i = 0; i < r->p->order.count; i++)
        r->moment[i] = early ? r->p->order.call[i] : latest_moment(r, i);
}

static enum verdict decide_renamed(struct repeats *r, struct budget *budget, struct decision *d)
{
    uint32_t count = r->p->order.count, lenience = PLAIN;
    uint32_t guesses = WORK / (count + 1) < GUESSES ? WORK / (count + 1) : GUESSES;
    bool sure = is_sure(r);
    for (uint32_t guess = 0; guess <= guesses && r->looks <= LOOKS && !budget_time_is_up(budget); guess++) {
        struct decision found = {0};
        if (guess <= 1 || guess % ROUND == 0)
            start_again(r, guess / ROUND % 2);
        lenience = guess ? guess / (2 * ROUND) % LENIENCES * 2 : PLAIN;
        enum verdict verdict = try_guess(r, lenience, budget, &found);
        if (verdict == VERDICT_HOLDS || (verdict == VERDICT_VIOLATED && sure && lenience == PLAIN)) {
            decision_free(d);
            *d = found;
            complete_core(r, d);
            return verdict;
        }
        shake(r, &found, guess);
        decision_free(&found);
    }
    return VERDICT_NONE;
}

enum verdict queue_repeats_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    uint32_t count = p->order.count, short_of;
    struct repeats r = {.p = p, .value = NEW_ARRAY(uint32_t, count)};
    enum verdict verdict = VERDICT_NONE;
    if (number_values(&r)) {
        r.head = NEW_ARRAY(uint32_t, r.values + 1);
        r.next = NEW_ARRAY(uint32_t, count);
        r.passed = NEW_ARRAY(uint32_t, count);
        r.pending_before = NEW_ARRAY(uint32_t, p->order.event_count);
        r.moment = NEW_ARRAY(uint64_t, count);
        count_pending(&r);
        r.renamed = *p->history;
        r.renamed.ops = rows_of(NEW_ARRAY(struct history_op, count), count);
        verdict =
            is_short_of(&r, &short_of) ? report_shortage(&r, short_of, d) : decide_renamed(&r, budget, d);
        rows_free(&r.renamed.ops);
    }
    free(r.value);
    free(r.head);
    free(r.next);
    free(r.passed);
    free(r.pending_before);
    free(r.moment);
    return d->verdict = verdict;
}
