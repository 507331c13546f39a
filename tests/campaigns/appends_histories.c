/* SPDX-License-Identifier: Apache-2.0 */
/* The append algorithm against brute force, on small random histories of one key: verdicts, witnesses and cores; and the
 * monitor as a whole on a share of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "monitor/core/core.h"
#include "monitor/deciders.h"
#include "monitor/monitor.h"
#include "oracle/appends_oracle.h"
#include "spec/registry.h"

static const char *const kind_names[TOKENS_KINDS] = {"distinct", "nested", "tiny", "mixed"};

struct totals {
    uint64_t histories, legal, claimed, violated, core_operations, confirmed;
};

/* ---- from the oracle's histories to the product's ---- */

static void add_op(struct history *h, const struct appends_op *op, uint32_t number)
{
    const char *name = op->kind == 'p' ? "put" : op->kind == 'a' ? "append" : "get";
    plumb_value key = plumb_string(h->values, "k", 1),
                text = plumb_string(h->values, op->text, strlen(op->text));
    plumb_value items[2] = {key, text};
    struct history_op out = {.call = op->call,
                             .ret = op->ret,
                             .arg = op->kind == 'g' ? key : plumb_array(h->values, items, 2),
                             .result = op->pending || op->unknown ? PLUMB_ANY
                                       : op->kind == 'g'          ? text
                                                                  : PLUMB_OK,
                             .thread = history_thread(h, plumb_int(h->values, number)),
                             .op = history_op_name(h, name, strlen(name)),
                             .pending = op->pending};
    history_add(h, out, 0);
}

static struct history *make_history(const struct appends_case *c)
{
    const struct plumb_spec *spec = spec_find("kv");
    struct history *h = history_create();
    struct diagnostic d = {0};
    for (uint32_t i = 0; i < c->count; i++)
        add_op(h, &c->ops[i], i);
    if (!spec_bind(h, &spec, &d))
        abort();
    return h;
}

static void print_case(const struct appends_case *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const struct appends_op *op = &c->ops[i];
        printf("  %u: %s %s[%d,", i,
               op->kind == 'p'   ? "put"
               : op->kind == 'a' ? "app"
                                 : "get",
               op->unknown ? "?" : op->text, op->call);
        printf(op->pending ? "-]\n" : "%d]\n", op->ret);
    }
}

/* ---- one history ---- */

/* It implies the violation of everything: with whatever others it has no order either. */
static bool core_implies_all(const struct appends_case *c, uint32_t core)
{
    uint32_t others = ((1u << c->count) - 1) & ~core;
    for (uint32_t some = others;; some = (some - 1) & others) {
        if (appends_has_order(c, core | some))
            return false;
        if (!some)
            return true;
    }
}

static const char *check_decision(const struct appends_case *c, bool legal, bool whole,
                                  const struct decision *d)
{
    uint32_t core = 0;
    if (d->verdict == VERDICT_HOLDS) {
        if (!legal)
            return "holds, but has no order";
        return appends_is_order(c, d->witness.data, (uint32_t)d->witness.len) ? NULL : "the witness is wrong";
    }
    if (d->verdict != VERDICT_VIOLATED)
        return d->verdict == VERDICT_NONE && d->why ? NULL : "neither an answer nor a reason";
    if (legal)
        return "violated, but has an order";
    for (size_t k = 0; k < d->core.len; k++)
        core |= 1u << d->core.data[k];
    return (whole ? core_implies_all(c, core) : !appends_has_order(c, core))
               ? NULL
               : "the core has an order, with or without others";
}

/* The second route finds nearly all violations, and no others. */
static const char *check_confirmation(const struct part *p, bool legal, struct totals *sum)
{
    struct budget budget = budget_start(20, 0);
    struct decision d = {0};
    bool confirms = appends_confirm(p, &budget, &d) == VERDICT_VIOLATED;
    decision_free(&d);
    sum->confirmed += confirms;
    return confirms && legal ? "a violation is confirmed, but there is an order" : NULL;
}

static const char *check_monitor(const struct appends_case *c, struct history *h, bool legal)
{
    const struct plumb_spec *spec = spec_find("kv");
    struct budget budget = budget_start(20, 0);
    struct plumb_spec_options options = {.values = h->values};
    struct monitor_settings settings = {.options = &options, .specs = &spec, .budget = &budget};
    struct monitor_result r = {0};
    struct diagnostic d = {0};
    if (!monitor_history(h, &settings, &r, &d))
        return "refused by the monitor";
    bool right = r.verdict == (legal ? VERDICT_HOLDS : VERDICT_VIOLATED);
    uint32_t core = 0;
    for (size_t k = 0; r.violation && k < r.violation->core.len; k++)
        core |= 1u << r.violation->core.data[k];
    if (right && r.violation && !r.violation->earlier && appends_has_order(c, core))
        right = false;
    monitor_result_free(&r);
    return right ? NULL : "the monitor is wrong";
}

static const char *run_case(const struct appends_case *c, bool whole, struct totals *sum)
{
    struct history *h = make_history(c);
    struct budget budget = budget_start(20, 0);
    struct part p = {.spec = spec_find("kv"), .history = h};
    struct decision d = {0};
    struct diagnostic wrong = {0};
    bool legal = appends_has_order(c, UINT32_MAX);
    if (!order_rank(h, &p.order, &wrong))
        abort();
    appends_decide(&p, &budget, &d);
    const char *problem = check_decision(c, legal, whole, &d);
    sum->histories++;
    sum->legal += legal;
    sum->claimed += d.verdict != VERDICT_NONE;
    sum->violated += d.verdict == VERDICT_VIOLATED;
    sum->core_operations += d.core.len;
    if (!problem)
        problem = check_confirmation(&p, legal, sum);
    decision_free(&d);
    order_free(&p.order);
    if (!problem && whole)
        problem = check_monitor(c, h, legal);
    history_destroy(h);
    return problem;
}

/* ---- all of them ---- */

enum { WHOLE_EVERY = 20 };

static bool run_kind(enum appends_tokens kind, uint64_t count, uint32_t most, uint64_t seed)
{
    struct totals sum = {0};
    struct appends_case c;
    for (uint64_t k = 0; k < count; k++) {
        appends_random(&c, kind, most, hash_combine(seed, k));
        const char *problem = run_case(&c, k % WHOLE_EVERY == 0, &sum);
        if (problem) {
            printf("FAILED: %s (%s, --most %u --seed %" PRIu64 ", number %" PRIu64 ")\n", problem,
                   kind_names[kind], most, seed, k);
            print_case(&c);
            return false;
        }
    }
    printf("%-9s up to %2u operations: %8" PRIu64 " histories, %4.1f%% legal, %5.1f%% claimed, core %.2f, "
           "%.1f%% of violations confirmed\n",
           kind_names[kind], most, sum.histories, 100.0 * (double)sum.legal / (double)count,
           100.0 * (double)sum.claimed / (double)count,
           (double)sum.core_operations / (double)(sum.violated + !sum.violated),
           100.0 * (double)sum.confirmed / (double)(sum.histories - sum.legal + 1));
    return true;
}

/* ---- histories that a plausible wrong rule gets wrong ---- */

static const struct {
    const char *operations; /* p put, a append, g get: text[call,return] */
    bool legal;
} known[] = {
    {"pp[0,10] ax[0,1] ay[2,3] gpx[4,20]", false}, /* a zone of the put and its gets alone is too small */
    {"aa[0,1] pp[0,5] gp[3,4]", true},             /* an append may be lost */
    {"pp[0,1] aa[1,2] gp[2,3]", true},             /* equal stamps overlap */
    {"pp[0,1] gp[3,3] ay[1,2]", true},             /* y comes before the epoch, which begins where y ends */
    {"aab[0,9] aa[0,9] gab[0,9] ga[0,9]", false},  /* a prefix of bytes, but not of tokens */
    {"ax[0,1] pp[0,5] ax[6,7] gpx[8,9]", true},    /* not the first of equal appends */
    {"ax[0,9] ax[2,3] gx[4,4] gxx[10,11]", true},  /* equal appends inside of each other */
    {"aa[0,1] ab[0,1] gab[2,3] gba[2,3]", false},
    {"pa[0,1] pa[2,3] ab[4,5] ga[6,7]", false},
    {"p[0,1] aa[2,3] g[4,5]", false}, /* the put of an empty string is a write */
    {"a[0,1] g[2,3]", true},
    {"ga[0,1] aa[2,3]", false},
};

static void read_case(struct appends_case *c, const char *text)
{
    memset(c, 0, sizeof *c);
    for (; *text; text += strcspn(text, " "), text += *text == ' ') {
        struct appends_op *op = &c->ops[c->count++];
        size_t length = strcspn(text + 1, "[");
        op->kind = *text;
        memcpy(op->text, text + 1, length);
        if (sscanf(text + 1 + length, "[%d,%d]", &op->call, &op->ret) != 2)
            abort();
    }
}

static bool run_known(void)
{
    struct totals sum = {0};
    struct appends_case c;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        read_case(&c, known[k].operations);
        const char *problem = run_case(&c, true, &sum);
        if (problem || sum.claimed != k + 1 || appends_has_order(&c, UINT32_MAX) != known[k].legal) {
            printf("FAILED: %s: %s\n", known[k].operations, problem ? problem : "not decided");
            return false;
        }
    }
    return true;
}

static uint64_t option_value(int argc, char **argv, const char *name, uint64_t otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], name))
            return strtoull(argv[i + 1], NULL, 10);
    return otherwise;
}

/* --count N: histories in all; five of six have up to 8 operations, the others up to 12. */
int main(int argc, char **argv)
{
    uint64_t count = option_value(argc, argv, "--count", 24000), seed = option_value(argc, argv, "--seed", 1);
    bool agreed = run_known();
    for (uint32_t kind = 0; kind < TOKENS_KINDS; kind++)
        agreed = run_kind(kind, count / 24 * 5, 8, seed) && run_kind(kind, count / 24, 12, seed) && agreed;
    return agreed ? 0 : 1;
}
