/* SPDX-License-Identifier: Apache-2.0 */
/* The product against the oracle, on many small random histories. Each is decided by the oracle, by the
 * monitor, by the monitor without its fast algorithms, and by the procedures that confirm violations.
 * Explanations and the certificate checker are compared too.
 * docs/internals/testing.md tells how to reproduce and how to run longer. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "history/jsonl.h"
#include "history/value_text.h"
#include "monitor/certificate.h"
#include "monitor/deciders.h"
#include "monitor/monitor.h"
#include "monitor/search/search.h"
#include "oracle/random_history.h"
#include "spec/registry.h"
#include "support/oracle_product.h"

#define NO_CASE UINT64_MAX

struct options {
    uint64_t count, seed, only_case;
    bool chosen[64]; /* by number of the oracle's specification */
    bool any_chosen;
};

/* What a run over one specification adds up. */
struct totals {
    uint64_t histories, linearizable, violated, fast, cores, cores_elsewhere;
    double seconds;
};

/* One history on its way. */
struct trial {
    const struct oracle_spec *expected;
    const struct plumb_spec *spec;
    uint64_t seed;
    struct history *history;
    struct plumb_spec_options options;
    struct oracle oracle; /* prepared before the history is bound */
    bool linearizable;
    bool verbose;
    char complaint[1024];
};

/* ---- one history ---- */

static uint64_t mix_seed(uint64_t seed, const char *spec, uint64_t number)
{
    uint64_t h = hash_combine(seed, hash_bytes(spec, strlen(spec)));
    return hash_combine(h, number);
}

static bool complain(struct trial *t, const char *what, const char *detail)
{
    snprintf(t->complaint, sizeof t->complaint, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
    return false;
}

static void trial_open(struct trial *t)
{
    t->history = history_create();
    t->options = (struct plumb_spec_options){.values = t->history->values};
    t->options.initial = random_history(t->history, t->expected, t->seed);
    if (!oracle_prepare(&t->oracle, t->history, t->expected, t->options.initial))
        abort();
    t->linearizable = oracle_linearizable(&t->oracle, ORACLE_ALL);
}

static void trial_print(const struct trial *t)
{
    struct history *h = history_create();
    struct text initial = {0};
    plumb_value v = random_history(h, t->expected, t->seed);
    if (v != PLUMB_OK) {
        value_print(&initial, h->values, v);
        printf("--init %s\n", initial.data);
    }
    for (size_t i = 0; i < h->ops.len; i++)
        jsonl_write_op(stdout, h, i);
    text_free(&initial);
    history_destroy(h);
}

/* ---- explanations ---- */

/* Does the core start from the initial state of the specification? */
static bool starts_at_initial(const struct trial *t, const struct monitor_violation *v)
{
    char text[1024];
    void *state = spec_init(t->spec, &t->options);
    t->spec->print(state, text, sizeof text);
    t->spec->destroy(state);
    return v->initial_state && strcmp(v->initial_state, text) == 0;
}

/* The core as a set, or 0 when it is not a set of operations of one object. */
static uint32_t core_members(const struct trial *t, const struct monitor_violation *v)
{
    uint32_t members = 0;
    for (size_t i = 0; i < v->core.len; i++) {
        uint32_t op = v->core.data[i];
        if (op >= t->oracle.count || (members >> op & 1) || t->oracle.object[op] != v->object)
            return 0;
        members |= 1u << op;
    }
    return members;
}

static bool legal_order_is_right(const struct trial *t, const struct monitor_violation *v, uint32_t members)
{
    uint32_t order[ORACLE_MAX];
    if (v->legal.len > ORACLE_MAX)
        return false;
    for (size_t i = 0; i < v->legal.len; i++)
        order[i] = v->legal.data[i].op;
    return oracle_allows(&t->oracle, members, order, (uint32_t)v->legal.len);
}

/* Operations outside of the core that were open at the same time as the guilty one. */
static uint32_t bystanders(const struct trial *t, const struct monitor_violation *v, uint32_t members)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < t->oracle.count; i++) {
        bool apart = (t->oracle.before[i] >> v->guilty & 1) || (t->oracle.before[v->guilty] >> i & 1);
        if (!(members >> i & 1) && !apart && t->oracle.object[i] == v->object)
            set |= 1u << i;
    }
    return set;
}

static uint32_t optional_members(const struct monitor_violation *v)
{
    uint32_t set = 0;
    for (size_t i = 0; i < v->core.len; i++)
        set |= v->optional.data[i] ? 1u << v->core.data[i] : 0;
    return set;
}

/* What precedes one of `set` happened, too. */
static bool is_closed(const struct trial *t, uint32_t set, uint32_t others)
{
    for (uint32_t i = 0; i < t->oracle.count; i++)
        if ((set >> i & 1) && (t->oracle.before[i] & others & ~set))
            return false;
    return true;
}

/* The core has to be impossible whichever of them happened: otherwise it blames somebody innocent. */
static bool core_blames_rightly(const struct trial *t, const struct monitor_violation *v, uint32_t members)
{
    uint32_t optional = optional_members(v), others = bystanders(t, v, members) | optional;
    members &= ~optional;
    for (uint32_t some = others;; some = (some - 1) & others) {
        if (is_closed(t, members | some, others) && oracle_linearizable(&t->oracle, members | some))
            return false;
        if (!some)
            return true;
    }
}

static bool explanation_is_right(struct trial *t, const struct monitor_violation *v, struct totals *sum)
{
    if (!v)
        return complain(t, "violated, but nothing is explained", NULL);
    uint32_t members = core_members(t, v);
    if (!members)
        return complain(t, "the core is not a set of operations of one object", NULL);
    if (!v->why || !*v->why)
        return complain(t, "the core has no sentence", NULL);
    if (v->guilty >= t->oracle.count || !(members >> v->guilty & 1))
        return complain(t, "the guilty operation is not in the core", NULL);
    sum->cores++;
    if (!starts_at_initial(t, v)) {
        sum->cores_elsewhere++;
        return true;
    }
    if (!core_blames_rightly(t, v, members))
        return complain(t, "the core is linearizable, or is together with what overlaps it", v->why);
    if (!legal_order_is_right(t, v, members))
        return complain(t, "the longest legal order is not legal", v->why);
    return true;
}

/* ---- verdicts ---- */

static void print_result(const struct monitor_result *r, const char *way)
{
    printf("%s: %s\n%s", way, verdict_name(r->verdict), r->log.len ? r->log.data : "");
    if (!r->violation)
        return;
    printf("why: %s\ncore:", r->violation->why);
    for (size_t i = 0; i < r->violation->core.len; i++)
        printf(" line %" PRIu32, r->violation->core.data[i] + 1);
    printf("\nfrom state: %s\n", r->violation->initial_state);
}

static bool verdict_is_right(struct trial *t, const struct monitor_result *r, struct totals *sum)
{
    if (r->verdict == VERDICT_INCONCLUSIVE)
        return complain(t, "inconclusive", r->limit);
    if ((r->verdict == VERDICT_HOLDS) != t->linearizable)
        return complain(t, "the oracle says", t->linearizable ? "linearizable" : "not linearizable");
    if (r->verdict == VERDICT_HOLDS && r->log.len &&
        strstr(r->log.data, "answers that contradict each other"))
        return complain(t, "the answers do not contradict each other", NULL);
    return r->verdict == VERDICT_HOLDS || explanation_is_right(t, r->violation, sum);
}

static bool was_decided_fast(const struct monitor_result *r)
{
    return r->log.len && !strstr(r->log.data, "general");
}

static bool monitor_agrees(struct trial *t, bool only_general, struct totals *sum)
{
    const struct plumb_spec *specs[] = {t->spec, t->spec};
    struct budget budget = budget_start(20, 0);
    struct monitor_settings settings = {
        .options = &t->options, .specs = specs, .budget = &budget, .only_general = only_general};
    struct monitor_result r = {0};
    struct diagnostic d = {0};
    if (t->seed & 1)
        history_pack(t->history);
    if (!monitor_history(t->history, &settings, &r, &d))
        return complain(t, "refused by the monitor", d.message);
    bool right = verdict_is_right(t, &r, sum);
    if (!only_general)
        sum->fast += was_decided_fast(&r);
    if (t->verbose || !right)
        print_result(&r, only_general ? "monitor, general search only" : "monitor");
    monitor_result_free(&r);
    return right;
}

/* ---- what stands behind the monitor ---- */

static bool answer_is_right(const struct trial *t, enum verdict verdict)
{
    return verdict == (t->linearizable ? VERDICT_HOLDS : VERDICT_VIOLATED);
}

/* The second route says violated of all that the first does, and of nothing that holds. */
static bool whole_reads_are_confirmed(const struct trial *t, const struct part *p, struct budget *budget)
{
    struct decision first = {0}, second = {0};
    const struct plumb_spec *basic = spec_basic(t->spec);
    if (!basic || basic->kind != PLUMB_KIND_SET)
        return true;
    set_reads_decide(p, budget, &first);
    set_reads_confirm(p, budget, &second);
    bool fine = first.verdict != VERDICT_VIOLATED || second.verdict == VERDICT_VIOLATED;
    fine &= second.verdict == VERDICT_NONE || !t->linearizable;
    decision_free(&first);
    decision_free(&second);
    return fine;
}

/* A hunt that is interrupted whenever it has not got further for some steps. */
static bool hunt_finds_order(const struct trial *t, const struct part *p, struct budget *budget)
{
    struct decision d = {0};
    struct confirm *hunt = hunt_start(p, NULL, budget);
    enum verdict verdict = VERDICT_INCONCLUSIVE;
    for (uint64_t patience = 4 + t->seed % 64; verdict == VERDICT_INCONCLUSIVE && !budget->spent;
         patience *= 2) {
        budget->ticks = budget->ticks_max = 0;
        verdict = hunt_go_on(hunt, budget, patience, &d);
        if (budget->spent == BUDGET_WORK)
            budget->spent = BUDGET_LEFT;
    }
    budget->ticks_max = 0;
    hunt_end(hunt, budget);
    decision_free(&d);
    return verdict == VERDICT_HOLDS;
}

/* The two that take turns in the general search: each alone finds an order wherever there is one. */
static bool turns_agree(const struct trial *t, const struct part *p, struct budget *budget)
{
    static const struct search_way exact = {0};
    struct decision d = {0};
    bool levels = answer_is_right(t, search_run(p, NULL, budget, &d, &exact));
    decision_free(&d);
    return levels && hunt_finds_order(t, p, budget) == t->linearizable;
}

/* The procedures that confirm violations have to be right about histories that hold as well. */
static bool confirmations_agree(struct trial *t)
{
    struct budget budget = budget_start(20, 0);
    struct part p = {.spec = t->spec, .options = &t->options, .history = t->history};
    struct decision second = {.verdict = VERDICT_NONE};
    struct diagnostic d = {0};
    if (t->history->objects.len)
        return true;
    if (!order_rank(t->history, &p.order, &d))
        return complain(t, "refused by order_rank", d.message);
    bool searched = answer_is_right(t, confirm_decide(&p, NULL, &budget));
    bool in_turns = turns_agree(t, &p, &budget);
    if (t->spec->kind == PLUMB_KIND_STACK && !p.order.after)
        stack_confirm(&p, &budget, &second);
    bool compared = whole_reads_are_confirmed(t, &p, &budget);
    bool stacked = second.verdict == VERDICT_NONE || answer_is_right(t, second.verdict);
    decision_free(&second);
    order_free(&p.order);
    if (!searched || !compared)
        return complain(t, searched ? "set_reads_confirm is wrong" : "confirm_decide is wrong", NULL);
    if (!in_turns)
        return complain(t, "levels or the hunt for an order are wrong", NULL);
    return stacked || complain(t, "stack_confirm is wrong", NULL);
}

/* An order by calls, damaged a little: swapped, shortened, one operation twice. */
static uint32_t make_order(const struct trial *t, uint32_t *order)
{
    uint32_t count = 0;
    uint64_t random = hash_word(t->seed);
    for (uint32_t i = 0; i < t->oracle.count; i++) {
        uint32_t at = count++;
        for (; at > 0 && history_get(t->history, order[at - 1]).call > history_get(t->history, i).call; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    uint32_t a = (uint32_t)(random % count), b = (uint32_t)((random >> 16) % count), x = order[a];
    switch (random >> 32 & 7) {
    case 0: order[a] = order[b]; break;
    case 1: order[a] = order[--count]; break;
    case 2: count--; break;
    case 3:
    case 4:
    case 5:
        order[a] = order[b];
        order[b] = x;
        break;
    }
    return count;
}

static bool certificate_agrees(struct trial *t)
{
    uint32_t order[ORACLE_MAX], placed = 0;
    if (t->history->objects.len)
        return true;
    uint32_t count = make_order(t, order);
    for (uint32_t k = 0; k < count; k++)
        placed |= 1u << order[k];
    bool expected = oracle_allows(&t->oracle, ORACLE_ALL, order, count) && !(t->oracle.completed & ~placed);
    struct certificate *c = certificate_create(t->history);
    const char *wrong = certificate_check(c, t->spec, &t->options, NULL, t->oracle.count, order, count);
    certificate_destroy(c);
    return !wrong == expected || complain(t, "certificate_check is wrong about an order", wrong);
}

static bool all_agree(struct trial *t, struct totals *sum)
{
    const struct plumb_spec *specs[] = {t->spec, t->spec};
    struct diagnostic d = {0};
    if (!spec_bind(t->history, specs, &d))
        return complain(t, "refused by spec_bind", d.message);
    return monitor_agrees(t, false, sum) && monitor_agrees(t, true, sum) && confirmations_agree(t) &&
           certificate_agrees(t);
}

/* ---- crashes ---- */

/* What to say when the process ends in the middle of a history; empty between histories. */
static char reproduction[256];

static void name_reproduction(const struct trial *t, const struct options *o, uint64_t number)
{
    snprintf(reproduction, sizeof reproduction,
             "reproduce: differential --spec '%s' --seed %" PRIu64 " --only-case %" PRIu64 "\n",
             t->expected->name, o->seed, number);
}

static void print_reproduction(void)
{
    if (reproduction[0] && write(STDOUT_FILENO, reproduction, strlen(reproduction)) < 0)
        _exit(1);
}

static void on_crash(int signal_number)
{
    print_reproduction();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void watch_for_crashes(void)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    atexit(print_reproduction);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], on_crash);
}

/* ---- one history, from seed to verdict ---- */

static bool run_trial(struct trial *t, const struct options *o, uint64_t number, struct totals *sum)
{
    t->seed = mix_seed(o->seed, t->expected->name, number);
    name_reproduction(t, o, number);
    trial_open(t);
    sum->histories++;
    sum->linearizable += t->linearizable;
    sum->violated += !t->linearizable;
    if (t->verbose) {
        trial_print(t);
        printf("oracle: %s\n", t->linearizable ? "linearizable" : "not linearizable");
        fflush(stdout);
    }
    bool agreed = all_agree(t, sum);
    if (!agreed) {
        printf("FAILED: %s\n", t->complaint);
        trial_print(t);
        fputs(reproduction, stdout);
    }
    reproduction[0] = 0;
    history_destroy(t->history);
    return agreed;
}

/* ---- all histories of one specification ---- */

static void print_totals(const char *spec, const struct totals *sum)
{
    double all = sum->histories ? (double)sum->histories : 1;
    printf("%-18s %8" PRIu64 " histories, %5.1f%% linearizable, %7" PRIu64 " violated, %5.1f%% fast, "
           "%" PRIu64 " of %" PRIu64 " cores from another state, %.1f s\n",
           spec, sum->histories, 100 * (double)sum->linearizable / all, sum->violated,
           100 * (double)sum->fast / all, sum->cores_elsewhere, sum->cores, sum->seconds);
    fflush(stdout);
}

static bool run_spec(const struct options *o, const struct oracle_spec *expected)
{
    struct totals sum = {0};
    struct trial t = {.expected = expected, .spec = oracle_product(expected)};
    double start = base_now();
    bool agreed = true;
    if (!t.spec) {
        printf("FAILED: no specification %s\n", expected->name);
        return false;
    }
    if (o->only_case != NO_CASE) {
        t.verbose = true;
        return run_trial(&t, o, o->only_case, &sum);
    }
    for (uint64_t i = 0; i < o->count && agreed; i++)
        agreed = run_trial(&t, o, i, &sum);
    sum.seconds = base_now() - start;
    print_totals(expected->name, &sum);
    return agreed;
}

/* ---- command line ---- */

static _Noreturn void usage(const char *problem)
{
    fprintf(stderr,
            "differential: %s\n"
            "usage: differential [--spec NAME]... [--specs A,B,C] [--count N] [--seed S] [--only-case K]\n",
            problem);
    exit(2);
}

static void choose_spec(struct options *o, const char *name, size_t length)
{
    for (unsigned i = 0; i < oracle_spec_count; i++) {
        if (strlen(oracle_specs[i].name) != length || memcmp(oracle_specs[i].name, name, length) != 0)
            continue;
        o->chosen[i] = o->any_chosen = true;
        return;
    }
    usage("unknown specification");
}

static void choose_specs(struct options *o, const char *list)
{
    for (;;) {
        size_t length = strcspn(list, ",");
        choose_spec(o, list, length);
        if (!list[length])
            return;
        list += length + 1;
    }
}

static uint64_t parse_number(const char *text)
{
    char *end;
    uint64_t n = strtoull(text, &end, 10);
    if (!*text || *end)
        usage("not a number");
    return n;
}

static void parse_option(struct options *o, const char *name, const char *value)
{
    if (!value)
        usage("an option without its value");
    if (strcmp(name, "--spec") == 0)
        choose_spec(o, value, strlen(value));
    else if (strcmp(name, "--specs") == 0)
        choose_specs(o, value);
    else if (strcmp(name, "--count") == 0)
        o->count = parse_number(value);
    else if (strcmp(name, "--seed") == 0)
        o->seed = parse_number(value);
    else if (strcmp(name, "--only-case") == 0)
        o->only_case = parse_number(value);
    else
        usage("unknown option");
}

int main(int argc, char **argv)
{
    struct options o = {.count = 20000, .seed = 1, .only_case = NO_CASE};
    bool agreed = true;
    watch_for_crashes();
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            choose_specs(&o, argv[i]);
        } else {
            parse_option(&o, argv[i], argv[i + 1]);
            i++;
        }
    }
    for (unsigned i = 0; i < oracle_spec_count; i++)
        if (!o.any_chosen || o.chosen[i])
            agreed = run_spec(&o, &oracle_specs[i]) && agreed;
    return agreed ? 0 : 1;
}
