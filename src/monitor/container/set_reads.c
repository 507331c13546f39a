/* SPDX-License-Identifier: Apache-2.0 */
/* Sets that only grow, each value added once, and are read as a whole: O(n log n) and the length of the answers.
 *
 * An answer says of each addition whether it came before or after the read. So the answers are a chain of sets, and everything falls into
 * blocks whose order is certain: the additions that are in all answers, the reads of the smallest answer, the additions that are
 * in all but those, and so on; last the additions that are in no answer (of these, pending ones need not have happened).
 * Inside of a block every order will do. There is a legal order exactly if nothing had returned when something of
 * an earlier block was called. docs/internals/monitor/set.md.
 *
 * A core has the two operations that are in the wrong order, the read that says so, and all additions that its reads list: without these their answers would be
 * wrong for another reason. All else can be left out: other reads, and additions that no read of the core lists. */
#include "base/hash.h"
#include "monitor/decider_tools.h"
#include "monitor/deciders.h"
#include "spec/registry.h"

#include <stdlib.h>

enum { NO_BLOCK = UINT32_MAX };

struct reads_run {
    const struct part *p;
    uint32_t op_items;
    struct hash_map adds; /* value -> operation */
    uint32_t *block;      /* per operation */
    uint32_t *seen_by;    /* per operation: the last read that lists its value */
    VEC(uint32_t) reads;  /* whose answer is known, smallest first */
    VEC(struct extra) unknown;
    uint32_t last;     /* block */
    uint32_t listed;   /* additions that are in an answer so far */
    uint32_t wrong[3]; /* operations that contradict each other, the first so many */
    uint32_t wrong_count;
};

static bool contradict(struct reads_run *run, uint32_t a, uint32_t b)
{
    run->wrong[0] = a;
    run->wrong[1] = b;
    run->wrong_count = a == b ? 1 : 2;
    return false;
}

/* Why it is not decided here, or null. */
static const char *take_operation(struct reads_run *run, uint32_t i)
{
    const struct history_op *op = part_op(run->p, i);
    bool returned = run->p->order.ret[i] != ORDER_NEVER;
    if (part_role(run->p, i) == PLUMB_ADDS) {
        uint32_t *add = hash_map_at(&run->adds, op->arg);
        bool is_new = *add == HASH_NO_NUMBER;
        *add = i;
        if (!is_new || (returned && op->result == PLUMB_FALSE))
            return "a value is added more than once";
    } else if (op->op != run->op_items) {
        return "no fast algorithm for operations on everything inside";
    } else if (returned && op->result == PLUMB_ANY) {
        vec_push(&run->unknown, ((struct extra){i, TOOLS_NONE}));
    } else if (returned) {
        vec_push(&run->reads, i);
    }
    return NULL;
}

static size_t length_of(const struct part *p, uint32_t read)
{
    return plumb_array_count(p->history->values, part_op(p, read)->result);
}

static int compare_lengths(const void *a, const void *b, void *part)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    size_t left = length_of(part, x), right = length_of(part, y);
    return left != right ? (left > right) - (left < right) : (x > y) - (x < y);
}

/* The read lists all that the smaller ones do, and nothing twice, or that was never added. New are those of the next block. */
static bool list_read(struct reads_run *run, uint32_t read, uint32_t smaller)
{
    const struct plumb_values *values = run->p->history->values;
    size_t length = length_of(run->p, read), known = 0;
    uint32_t next = run->last + (length > run->listed ? 1 : 0);
    for (size_t k = 0; k < length; k++) {
        uint32_t add = hash_map_get(&run->adds, plumb_array_item(values, part_op(run->p, read)->result, k));
        if (add == HASH_NO_NUMBER || run->seen_by[add] == read)
            return contradict(run, read, read);
        run->seen_by[add] = read;
        known += run->block[add] != NO_BLOCK;
        if (run->block[add] == NO_BLOCK)
            run->block[add] = next;
    }
    if (known != run->listed)
        return contradict(run, read, smaller);
    run->listed = (uint32_t)length;
    run->last = next % 2 ? next + 1 : next; /* additions have odd blocks */
    run->block[read] = run->last;
    return true;
}

static bool make_blocks(struct reads_run *run, struct budget *budget)
{
    if (run->reads.len)
        qsort_r(run->reads.data, run->reads.len, sizeof *run->reads.data, compare_lengths, (void *)run->p);
    for (size_t k = 0; k < run->reads.len; k++)
        if (budget_exhausted(budget) || !list_read(run, run->reads.data[k], run->reads.data[k ? k - 1 : 0]))
            return false;
    for (uint32_t i = 0; i < run->p->order.count; i++)
        if (part_role(run->p, i) == PLUMB_ADDS && run->block[i] == NO_BLOCK &&
            run->p->order.ret[i] != ORDER_NEVER)
            run->block[i] = run->last + 1;
    return true;
}

static int compare_places(const void *a, const void *b, void *context)
{
    const struct reads_run *run = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t left = run->block[x], right = run->block[y];
    if (left == right) {
        left = run->p->order.call[x];
        right = run->p->order.call[y];
    }
    return (left > right) - (left < right);
}

/* By blocks, and inside of them by calls. False: what returned stands before what was called later. */
static bool order_blocks(struct reads_run *run, struct decision *d)
{
    for (uint32_t i = 0; i < run->p->order.count; i++)
        if (run->block[i] != NO_BLOCK)
            vec_push(&d->witness, i);
    if (d->witness.len)
        qsort_r(d->witness.data, d->witness.len, sizeof *d->witness.data, compare_places, run);
    const uint32_t *ret = run->p->order.ret;
    uint32_t earliest = d->witness.len ? d->witness.data[d->witness.len - 1] : 0;
    for (size_t k = d->witness.len; k-- > 0;) {
        uint32_t i = d->witness.data[k];
        if (ret[earliest] < run->p->order.call[i])
            return contradict(run, i, earliest);
        earliest = ret[i] < ret[earliest] ? i : earliest;
    }
    return true;
}

static bool is_read(const struct reads_run *run, uint32_t i)
{
    return part_op(run->p, i)->op == run->op_items;
}

/* Two additions are ordered by a read that lists one of them. */
static void add_read_between(struct reads_run *run)
{
    for (size_t k = 0; k < run->reads.len && run->wrong_count < 3; k++)
        if (run->block[run->reads.data[k]] == run->block[run->wrong[0]] + 1)
            run->wrong[run->wrong_count++] = run->reads.data[k];
}

static enum verdict violated(struct reads_run *run, struct decision *d)
{
    const struct plumb_values *values = run->p->history->values;
    vec_free(&d->witness);
    if (!is_read(run, run->wrong[0]) && !is_read(run, run->wrong[1]))
        add_read_between(run);
    for (uint32_t k = 0; k < run->wrong_count; k++) {
        uint32_t i = run->wrong[k];
        vec_push(&d->core, i);
        for (size_t item = 0; is_read(run, i) && item < length_of(run->p, i); item++) {
            plumb_value value = plumb_array_item(values, part_op(run->p, i)->result, item);
            uint32_t add = hash_map_get(&run->adds, value);
            if (add != HASH_NO_NUMBER)
                vec_push(&d->core, add);
        }
    }
    return d->verdict = VERDICT_VIOLATED;
}

static int compare_calls(const void *a, const void *b, void *part)
{
    const struct part *p = part;
    uint32_t x = p->order.call[((const struct extra *)a)->op],
             y = p->order.call[((const struct extra *)b)->op];
    return (x > y) - (x < y);
}

static enum verdict decide(struct reads_run *run, struct budget *budget, struct decision *d)
{
    const char *why = NULL;
    for (uint32_t i = 0; i < run->p->order.count && !why; i++)
        why = take_operation(run, i);
    if (why)
        return decision_not_mine(d, why);
    if (run->unknown.len)
        qsort_r(run->unknown.data, run->unknown.len, sizeof *run->unknown.data, compare_calls,
                (void *)run->p);
    if (!make_blocks(run, budget) || !order_blocks(run, d) ||
        !witness_insert(run->p, d, run->unknown.data, run->unknown.len, NULL))
        return budget->spent ? decision_limit(d) : violated(run, d);
    return decision_holds(d);
}

enum verdict set_reads_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    struct reads_run run = {.p = p, .op_items = spec_operation(p->spec, "items")};
    run.block = NEW_ARRAY(uint32_t, p->order.count);
    run.seen_by = NEW_ARRAY(uint32_t, p->order.count);
    for (uint32_t i = 0; i < p->order.count; i++)
        run.block[i] = run.seen_by[i] = NO_BLOCK;
    enum verdict verdict = decide(&run, budget, d);
    hash_map_free(&run.adds);
    vec_free(&run.reads);
    vec_free(&run.unknown);
    free(run.block);
    free(run.seen_by);
    return verdict;
}
