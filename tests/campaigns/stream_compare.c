/* SPDX-License-Identifier: Apache-2.0 */
/* Random histories, judged as a stream of events, as a file, and by the general search alone: the verdicts have to be
 * the same. Most of them are of containers that are hardly ever empty.
 *   stream_compare [--count N] [--seed S] [--wild SPEC]
 * --wild: only small histories of this container, with operations anywhere. */
#include "monitor/stream/stream.h"
#include "support/stream_trial.h"

#include <stdio.h>
#include <string.h>

enum { MEMORY_MOST = 16 << 20 };

/* With a limit in seconds (0: none) the general search alone judges. */
static enum verdict judge_file(struct trial *t, const double *general_limit, struct diagnostic *d)
{
    struct budget budget = budget_start(general_limit ? *general_limit : 0, MEMORY_MOST);
    struct monitor_settings settings = {
        .options = &t->options, .specs = &t->spec, .budget = &budget, .only_general = general_limit != NULL};
    struct monitor_result result;
    enum verdict verdict = VERDICT_INCONCLUSIVE;
    if (monitor_history(t->file, &settings, &result, d)) {
        verdict = result.verdict;
        monitor_result_free(&result);
    }
    return verdict;
}

static enum verdict judge_stream(struct trial *t, struct diagnostic *d)
{
    struct budget budget = budget_start(0, MEMORY_MOST);
    struct stream *s = stream_create(t->names, &(struct stream_settings){&t->options, &budget});
    struct monitor_result result;
    stream_set_spec(s, 0, t->spec);
    for (size_t k = 0; k < t->events.len && !d->code; k++) {
        stream_event(s, &t->events.data[k], d);
        if (stream_below(t->usage.look_at_stream) == 0)
            stream_look(s);
        t->most_kept = stream_stats(s).kept > t->most_kept ? stream_stats(s).kept : t->most_kept;
    }
    stream_finish(s, true, &result);
    stream_destroy(s);
    enum verdict verdict = result.verdict;
    monitor_result_free(&result);
    return verdict;
}

static void show(const struct trial *t)
{
    for (size_t k = 0; k < t->events.len; k++) {
        const struct history_event *e = &t->events.data[k];
        fprintf(stderr, "  %lld thread %u %s %llx\n", (long long)e->time, e->thread,
                e->is_return ? "return" : t->file->op_names.data[e->op],
                (unsigned long long)(e->is_return ? e->result : e->arg));
    }
}

/* Ties of several threads are beyond a stream, which says so. */
static bool has_ties(const struct trial *t)
{
    for (size_t k = 1; k < t->events.len; k++)
        if (t->events.data[k].time == t->events.data[k - 1].time &&
            t->events.data[k].thread != t->events.data[k - 1].thread)
            return true;
    return false;
}

/* What all trials came to. */
struct totals {
    uint64_t verdicts[VERDICT_INCONCLUSIVE + 1], ties, busy, operations, kept;
};

static bool compare(struct trial *t, uint64_t n, struct totals *totals)
{
    struct diagnostic d = {0};
    double limit = trial_is_crafted(n) ? 0 : 0.05;
    enum verdict stream = judge_stream(t, &d), file = stream, general = stream;
    if (t->file->ops.len && !d.code && spec_bind(t->file, &t->spec, &d)) {
        file = judge_file(t, NULL, &d);
        general = judge_file(t, &limit, &d);
    }
    totals->ties += stream != file;
    totals->verdicts[stream]++;
    totals->busy += t->busy;
    totals->operations += t->busy ? t->file->ops.len : 0;
    totals->kept += t->busy ? t->most_kept : 0;
    bool as_crafted = !trial_is_crafted(n) || general == VERDICT_VIOLATED;
    bool searched = general == file || general == VERDICT_INCONCLUSIVE || file == VERDICT_INCONCLUSIVE;
    bool same = stream == file || (stream == VERDICT_INCONCLUSIVE && has_ties(t)) ||
                (file == VERDICT_INCONCLUSIVE && stream == VERDICT_VIOLATED);
    if (!d.code && searched && as_crafted && same)
        return true;
    fprintf(stderr, "history %llu (%s): stream %s, file %s, general search %s %s\n", (unsigned long long)n,
            t->spec->name, verdict_name(stream), verdict_name(file), verdict_name(general), d.message);
    show(t);
    return false;
}

int main(int argc, char **argv)
{
    uint64_t count = 1000, seed = 1;
    const char *wild = NULL;
    struct totals totals = {0};
    for (int k = 1; k + 1 < argc; k += 2)
        if (!strcmp(argv[k], "--wild"))
            wild = argv[k + 1];
        else
            *(strcmp(argv[k], "--count") ? &seed : &count) = strtoull(argv[k + 1], NULL, 10);
    bool same = true;
    for (uint64_t n = 0; n < count && same; n++) {
        stream_random = (seed * 1000003 + n) * 0x9e3779b97f4a7c15u + 1;
        struct trial t = create_trial(n, wild);
        same = compare(&t, n, &totals);
        destroy_trial(&t);
    }
    printf("%llu histories: %llu hold, %llu violated, %llu with ties that only a file decides\n",
           (unsigned long long)count, (unsigned long long)totals.verdicts[VERDICT_HOLDS],
           (unsigned long long)totals.verdicts[VERDICT_VIOLATED], (unsigned long long)totals.ties);
    printf("%llu busy containers: %llu operations, of which at most %llu were kept\n",
           (unsigned long long)totals.busy, (unsigned long long)totals.operations,
           (unsigned long long)totals.kept);
    return same && totals.verdicts[VERDICT_HOLDS] && totals.verdicts[VERDICT_VIOLATED] &&
                   totals.ties * 10 < count
               ? 0
               : 1;
}
