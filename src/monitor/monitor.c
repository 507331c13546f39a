/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/monitor.h"

#include "base/check.h"
#include "history/value_text.h"
#include "monitor/certificate.h"
#include "monitor/deciders.h"
#include "monitor/quasi/quasi.h"
#include "monitor/search/search.h"
#include "monitor/monitor_run.h"
#include "monitor/plain.h"
#include "monitor/simpler.h"
#include "monitor/core/core.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <string.h>

/* How each kind of object is decided. */
struct strategy {
    enum plumb_kind kind;
    decider *fast;
    const char *name;
    /* `fast` takes all keys at once; otherwise objects with keys are split first */
    bool all_keys;
    const struct strategy *then; /* for what `fast` leaves; or null */
};

static const struct strategy queue_repeats = {PLUMB_KIND_QUEUE, queue_repeats_decide,
                                              "queue algorithm on renamed values", true, NULL};

static const struct strategy appends = {PLUMB_KIND_KV, appends_decide, "append algorithm (epochs) per key",
                                        false, NULL};

static const struct strategy strategies[] = {
    {PLUMB_KIND_QUEUE, queue_decide, "queue algorithm (two cursors)", true, &queue_repeats},
    {PLUMB_KIND_STACK, stack_decide, "stack algorithm (peeling)", true, NULL},
    {PLUMB_KIND_PQUEUE, pqueue_decide, "priority queue algorithm (free gaps)", true, NULL},
    {PLUMB_KIND_BAG, bag_decide, "bag algorithm (free gaps)", true, NULL},
    {PLUMB_KIND_DEQUE, deque_decide, "deque algorithm (segments)", true, NULL},
    {PLUMB_KIND_SET, set_decide, "set algorithm (earliest return first)", true, NULL},
    {PLUMB_KIND_MULTISET, multiset_decide, "multiset algorithm (counting)", false, NULL},
    {PLUMB_KIND_MAP, map_decide, "map algorithm (blocks and removals) per key", false, NULL},
    {PLUMB_KIND_KV, register_decide, "register algorithm (blocks) per key", false, &appends},
    {PLUMB_KIND_REGISTER, register_decide, "register algorithm (blocks)", true, NULL},
    {PLUMB_KIND_COUNTER, counter_decide, "counter algorithm (slots)", true, NULL},
};

/* Of the extended half. */
static const struct strategy set_reads = {PLUMB_KIND_SET, set_reads_decide,
                                          "algorithm for reads of whole sets (blocks)", true, NULL};

static const struct strategy general_only = {PLUMB_KIND_OTHER, NULL, NULL, false, NULL};

/* A specification that is made at run time may have a well-known name and start somewhere else. */
static const struct strategy *find_strategy(const struct plumb_spec *spec)
{
    const struct plumb_spec *basic = spec_basic(spec);
    if (spec->init_of)
        return &general_only;
    if (basic && basic->kind == set_reads.kind)
        return &set_reads;
    for (size_t k = 0; k < sizeof strategies / sizeof *strategies; k++)
        if (strategies[k].kind == spec->kind)
            return &strategies[k];
    return &general_only;
}

static void count_method(struct run *r, const char *method, const char *why, const struct part *p,
                         enum verdict verdict)
{
    struct tally fresh = {
        .method = method, .why = why, .object = r->object, .parts = 1, .operations = p->order.count};
    fresh.is_open = verdict == VERDICT_INCONCLUSIVE;
    for (size_t k = r->tallies.len; k-- > 0 && r->tallies.data[k].object == r->object;) {
        struct tally *t = &r->tallies.data[k];
        if (t->method == method && t->why == why && t->is_open == fresh.is_open) {
            t->parts++;
            t->operations += p->order.count;
            return;
        }
    }
    vec_push(&r->tallies, fresh);
}

/* ------------------------------------------------------------------ limits */

/* Why it takes long: what keeps the fast algorithms away, and what did not return. */
static void add_trouble(struct text *t, const struct part *p, const char *why)
{
    uint32_t pending = 0;
    for (uint32_t i = 0; i < p->order.count; i++)
        pending += p->order.ret[i] == ORDER_NEVER;
    if (why)
        text_printf(t, ": %s", why);
    if (pending)
        text_printf(t, "%s%u operation%s never returned", why ? ", " : ": ", pending,
                    pending == 1 ? "" : "s");
}

void monitor_meet_limit(struct run *r, const struct part *p, const struct decision *d, const char *doing)
{
    struct monitor_result *out = r->out;
    struct budget *b = r->settings->budget;
    if (!out->limit) {
        struct text t = {0};
        text_printf(&t, "%s %s",
                    b->spent == BUDGET_TIME          ? "time limit met"
                    : b->spent == BUDGET_INTERRUPTED ? "interrupted"
                                                     : "memory limit met",
                    doing);
        if (d)
            add_trouble(&t, p, d->why);
        if (d && d->quasi)
            quasi_add_progress(&t, p, d);
        else if (d && d->legal_events)
            text_printf(&t, "; %u of %u events had a legal order", d->legal_events, p->order.event_count);
        out->limit = text_take(&t);
    }
    if (b->spent == BUDGET_MEMORY)
        b->spent = BUDGET_LEFT; /* the memory was given back: other parts may fit */
    out->verdict = VERDICT_INCONCLUSIVE;
}

/* ------------------------------------------------------------------ one part */

static void keep_witness(struct run *r, const uint32_t *order, size_t count)
{
    struct monitor_witness w = {.object = r->object};
    for (size_t k = 0; k < count; k++)
        vec_push(&w.order, order[k]);
    vec_push(&r->out->witnesses, w);
}

/* Every legal order is replayed by the independent checker. */
static void certify(struct run *r, const struct part *p, struct decision *d)
{
    double start = base_now();
    uint32_t *order = d->witness.data;
    const char *wrong;
    for (size_t k = 0; p->ops && k < d->witness.len; k++)
        order[k] = p->ops[order[k]];
    if (spec_quasi_base(p->spec))
        wrong = quasi_certify(r->certificate, p, d, order, r->settings->budget);
    else
        wrong = certificate_check(r->certificate, p->spec, p->options, p->ops, p->order.count, order,
                                  d->witness.len);
    r->out->seconds_certifying += base_now() - start;
    CHECK(!wrong);
    if (r->settings->keep_witnesses)
        keep_witness(r, order, d->witness.len);
    if (r->settings->budget->spent)
        monitor_meet_limit(r, p, NULL, "while certifying");
}

/* Moves a core found with too few precedences to the part that has them all. */
static void move_core(const struct run *r, const struct part *from, struct decision *d)
{
    OWNED uint32_t *place = NEW_ARRAY(uint32_t, r->h->ops.len);
    for (uint32_t i = 0; i < r->exact->order.count; i++)
        place[part_history_index(r->exact, i)] = i;
    for (size_t k = 0; k < d->core.len; k++)
        d->core.data[k] = place[part_history_index(from, d->core.data[k])];
}

/* The key that the whole core is about. PLUMB_OK: there is none, because time or program order ties several keys. */
static plumb_value common_key(const struct part *p, const struct decision *d)
{
    plumb_value common = PLUMB_OK;
    for (size_t k = 0; p->spec->key && k < d->core.len; k++) {
        struct plumb_call call = part_call(p, d->core.data[k]);
        plumb_value key = p->spec->key(p->history->values, &call);
        if (k && key != common)
            return PLUMB_OK;
        common = key;
    }
    return common;
}

static void report_violation(struct run *r, const struct part *p, decider *fast, const char *name,
                             struct decision *d)
{
    struct budget *budget = r->settings->budget;
    if (r->reading == RELAXED) {
        move_core(r, p, d);
        p = r->exact;
    }
    struct monitor_violation *v =
        d->quasi ? quasi_violation(p, name, d, budget) : violation_build(p, fast, name, d, budget);
    if (!v) {
        if (!budget->spent)
            budget->spent = BUDGET_MEMORY;
        monitor_meet_limit(r, p, NULL, "while confirming a violation");
        return;
    }
    v->object = r->object;
    v->key = common_key(p, d);
    r->out->violation = v;
    r->out->beyond_factors = quasi_is_beyond_factors(d);
    r->out->verdict = VERDICT_VIOLATED;
}

/* Acts on an answer. False: it does not count in this reading. */
static bool conclude(struct run *r, const struct part *p, decider *fast, const char *name, struct decision *d)
{
    if (d->verdict == VERDICT_HOLDS && r->reading != RELAXED)
        certify(r, p, d);
    else if (d->verdict == VERDICT_VIOLATED && r->reading != TIGHTENED && (fast || r->reading == EXACT))
        report_violation(r, p, fast, name, d);
    else if (d->verdict == VERDICT_INCONCLUSIVE && r->reading == EXACT)
        monitor_meet_limit(r, p, d,
                           fast ? "in the algorithm for this specification" : "in the general search");
    else
        return false;
    return true;
}

/* False: not decided; *why says the reason, if there is a better one than before. */
static bool try_fast(struct run *r, const struct part *p, const struct strategy *s, const char **why)
{
    struct decision d = {0};
    d.verdict = s->fast(p, r->settings->budget, &d);
    bool decided = conclude(r, p, s->fast, s->name, &d);
    if (decided)
        count_method(r, s->name, NULL, p, d.verdict);
    *why = d.why ? d.why : *why;
    decision_free(&d);
    return decided;
}

static const char general_search[] = "general search";

void monitor_count_search(struct run *r, const struct part *p, const char *why)
{
    count_method(r, general_search, why, p, VERDICT_HOLDS);
}

bool monitor_search_part(struct run *r, const struct part *p, const char *why)
{
    struct decision d = {0};
    struct budget own = *r->settings->budget;
    own.ticks = 0;
    own.ticks_max = r->reading == EXACT ? r->share : 0;
    d.verdict = search_decide(p, NULL, &own, &d);
    d.why = why;
    bool put_off = own.spent == BUDGET_WORK;
    if (!put_off)
        r->settings->budget->spent = own.spent;
    bool decided = put_off || conclude(r, p, NULL, general_search, &d);
    if (put_off)
        left_add(r, p, &d);
    else if (decided)
        count_method(r, general_search, why, p, d.verdict);
    decision_free(&d);
    return decided;
}

static bool decide_part(struct run *r, const struct part *p, const struct strategy *s)
{
    const char *why = spec_basic(p->spec) ? "no fast algorithm for operations on everything inside"
                                          : "no fast algorithm for this specification";
    if (r->settings->only_general)
        why = "asked for";
    else
        for (; s && s->fast; s = s->then)
            if (try_fast(r, p, s, &why))
                return true;
    /* What the search would find out about a relaxed history it finds out about the exact one, and sooner. */
    return r->reading != RELAXED && monitor_search_part(r, p, why);
}

/* ------------------------------------------------------------------ one object */

bool monitor_is_over(const struct run *r)
{
    return r->out->verdict == VERDICT_VIOLATED || budget_time_is_up(r->settings->budget);
}

/* True: every key is decided, or one is violated. */
static bool decide_keys(struct run *r, const struct part *p, const struct strategy *s)
{
    uint32_t *class_of = NEW_ARRAY(uint32_t, p->order.count);
    uint32_t keys = partition_by_key(p, class_of);
    struct partition split;
    partition_split(&split, p, class_of, keys);
    free(class_of);
    uint32_t k = 0;
    size_t left = r->left.len;
    bool decided = true;
    if (keys > 1)
        r->share = MONITOR_FIRST_SHARE;
    for (; k < keys && !monitor_is_over(r); k++) {
        struct part key = partition_get(&split, k);
        decided &= decide_part(r, &key, s);
        if (!decided && r->reading == TIGHTENED)
            break;
    }
    if (k < keys && r->out->verdict != VERDICT_VIOLATED && r->reading == EXACT)
        monitor_meet_limit(r, p, NULL, "before all keys were decided");
    left_keep_partition(r, &split, left);
    return r->out->verdict == VERDICT_VIOLATED || (decided && k == keys);
}

static int compare_tallies(const void *left, const void *right)
{
    const struct tally *a = left, *b = right;
    return a->object != b->object ? (a->object > b->object) - (a->object < b->object)
                                  : (a->number > b->number) - (a->number < b->number);
}

static void log_tally(struct run *r, const struct tally *t)
{
    struct text *log = &r->out->log;
    const struct plumb_spec *spec = r->settings->specs[t->object];
    if (r->h->object_names.len > 1 || r->h->object_names.data[0] != PLUMB_NONE) {
        value_print(log, r->h->values, r->h->object_names.data[t->object]);
        text_puts(log, ": ");
    }
    text_printf(log, "%s: %llu operation%s", spec->name, (unsigned long long)t->operations,
                t->operations == 1 ? "" : "s");
    if (spec->key && t->parts > 1)
        text_printf(log, " on %llu keys", (unsigned long long)t->parts);
    text_printf(log, " %s %s", t->is_open ? "given to" : "decided by", t->method);
    if (t->why)
        text_printf(log, ": %s", t->why);
    text_puts(log, "\n");
}

/* By objects, each in the order in which its ways were tried. */
static void log_tallies(struct run *r)
{
    for (size_t k = 0; k < r->tallies.len; k++)
        r->tallies.data[k].number = k;
    if (r->tallies.len)
        qsort(r->tallies.data, r->tallies.len, sizeof *r->tallies.data, compare_tallies);
    for (size_t k = 0; k < r->tallies.len; k++)
        log_tally(r, &r->tallies.data[k]);
}

/* By the fast algorithm on all keys, or key by key. */
static bool decide_plain(struct run *r, const struct part *p, const struct strategy *s)
{
    const char *why;
    if (!p->spec->key)
        return decide_part(r, p, s);
    if (s->all_keys && !r->settings->only_general && try_fast(r, p, s, &why))
        return true;
    return decide_keys(r, p, s);
}

/* Ranks that cannot express program order: two cheap readings first, then the search over everything at once,
 * because such histories do not even fall apart by keys. */
static void decide_tied(struct run *r, const struct part *p, const struct strategy *s)
{
    struct part tight = ties_tighten(p), relaxed = ties_forget(p);
    r->reading = TIGHTENED;
    bool decided = decide_plain(r, &tight, s);
    part_free(&tight);
    r->reading = RELAXED;
    decided = decided || decide_plain(r, &relaxed, s);
    r->reading = EXACT;
    if (!decided)
        monitor_search_part(r, p, "equal stamps in several threads");
}

/* What a fast algorithm says about a simpler part. True: the whole is decided. */
static bool conclude_simpler(struct run *r, const struct part *p, const struct simpler *simpler,
                             const struct strategy *s, struct decision *d)
{
    if (d->verdict == VERDICT_VIOLATED) {
        d->stricter = p->spec;
        return conclude(r, &simpler->part, s->fast, s->name, d);
    }
    if (d->verdict == VERDICT_HOLDS && !simpler_extend(p, simpler, r->settings->budget, d))
        return false;
    return conclude(r, p, s->fast, s->name, d);
}

/* By the fast algorithms for a part of it that they know. */
static bool try_simpler(struct run *r, const struct part *p)
{
    struct simpler simpler;
    bool decided = false;
    if (r->settings->only_general || !simpler_make(p, &simpler))
        return false;
    for (const struct strategy *s = find_strategy(simpler.part.spec); s && s->fast && !decided; s = s->then) {
        struct decision d = {0};
        if (!s->all_keys)
            continue;
        d.verdict = s->fast(&simpler.part, r->settings->budget, &d);
        decided = conclude_simpler(r, p, &simpler, s, &d);
        if (decided)
            count_method(r, s->name, NULL, p, d.verdict);
        decision_free(&d);
    }
    simpler_free(&simpler);
    return decided;
}

static void decide_object(struct run *r, struct part *p)
{
    p->spec = plain_spec(p);
    struct strategy quasi = {PLUMB_KIND_OTHER, quasi_decide, quasi_method(p->spec), true, NULL};
    const struct strategy *s = quasi.name ? &quasi : find_strategy(p->spec);
    r->exact = p;
    if (try_simpler(r, p))
        return;
    if (!p->order.after)
        decide_plain(r, p, s);
    else if (r->settings->only_general)
        monitor_search_part(r, p, "asked for");
    else
        decide_tied(r, p, s);
}

/* ------------------------------------------------------------------ all objects */

static void decide_objects(struct run *r, struct part *whole)
{
    uint32_t objects = (uint32_t)r->h->object_names.len;
    struct partition split;
    partition_split(&split, whole, r->h->objects.data, objects);
    uint32_t k = 0;
    if (objects > 1)
        r->share = MONITOR_FIRST_SHARE;
    for (; k < objects && !monitor_is_over(r); k++) {
        struct part object = partition_get(&split, k);
        object.spec = r->settings->specs[k];
        r->object = k;
        if (object.order.count)
            decide_object(r, &object);
    }
    if (k < objects && r->out->verdict != VERDICT_VIOLATED)
        monitor_meet_limit(r, whole, NULL, "before all objects were decided");
    left_keep_partition(r, &split, 0);
}

bool monitor_history(const struct history *h, const struct monitor_settings *settings,
                     struct monitor_result *out, struct diagnostic *d)
{
    *out = (struct monitor_result){.operations = h->ops.len, .objects = (uint32_t)h->object_names.len};
    double start = base_now();
    struct part whole = {.spec = settings->specs[0], .options = settings->options, .history = h};
    if (!order_rank(h, &whole.order, d))
        return false;
    struct run r = {.h = h, .settings = settings, .out = out, .certificate = certificate_create(h)};
    if (h->objects.len)
        decide_objects(&r, &whole);
    else
        decide_object(&r, &whole);
    left_decide(&r);
    log_tallies(&r);
    left_free(&r);
    order_free(&whole.order);
    certificate_destroy(r.certificate);
    vec_free(&r.tallies);
    if (out->verdict == VERDICT_NONE) /* nothing was against it */
        out->verdict = VERDICT_HOLDS;
    out->seconds_deciding = base_now() - start - out->seconds_certifying;
    return true;
}

void monitor_result_free(struct monitor_result *r)
{
    free(r->limit);
    violation_free(r->violation);
    for (size_t k = 0; k < r->witnesses.len; k++)
        vec_free(&r->witnesses.data[k].order);
    vec_free(&r->witnesses);
    text_free(&r->log);
}
