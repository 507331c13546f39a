/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_interleave.h"

#include "base/budget.h"
#include "base/text.h"
#include "cli/check_report.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

static bool is_sc(const struct check_options *o)
{
    return strcmp(check_memory_name(o), "sc") == 0;
}

/* From now on the options ask for interleavings, with the races of sc. */
static void interleave(struct check_options *options)
{
    options->mode = WORKER_DFS;
    options->all_seq_cst = true;
    options->jobs = 1;
    options->checkpoint = NULL;
}

/* An error that was found before stands. */
static bool is_needed(const struct check_options *o, const struct check_result *r)
{
    return o->mode == WORKER_GRAPH && is_sc(o) && !o->loops && r->limits & LIMIT_MIXED_SIZE &&
           r->unsupported && !r->found && !r->failing && !r->failed;
}

static char *copy(const char *words)
{
    struct text t = {0};
    text_puts(&t, words);
    return text_take(&t);
}

static char *describe_mixed_sizes(const struct worker_shared *s)
{
    struct text t = {0};
    char *place = check_report_code_place(s, s->unsupported_pc);
    text_puts(&t, "mixed-size atomics");
    if (place)
        text_printf(&t, " at %s", place);
    free(place);
    return text_take(&t);
}

enum cli_exit check_interleave_if_needed(const struct target_program *program, struct check_options *options,
                                         double start, struct target_worker **workers,
                                         struct check_result *result, char **why)
{
    const double least = 0.01; /* none at all would mean any */
    if (options->all_seq_cst)
        *why = copy("--preemptions");
    if (!is_needed(options, result))
        return EXIT_HOLDS;
    *why = describe_mixed_sizes(result->unsupported);
    for (uint64_t k = 0; k < options->jobs; k++) {
        target_free(workers[k]);
        workers[k] = NULL;
    }
    interleave(options);
    if (options->time > 0) {
        double left = options->time - (base_now() - start);
        options->time = left > least ? left : least;
    }
    return check_run(program, options, workers, result);
}

enum cli_exit check_interleave_bounded(struct check_options *options)
{
    if (options->mode == WORKER_DFS)
        return EXIT_HOLDS;
    if (options->mode != WORKER_GRAPH)
        return output_error(PL_USAGE, "--preemptions is for --mode dfs and --mode all: the others do not "
                                      "count switches");
    if (!is_sc(options))
        return output_error(PL_USAGE, "--preemptions is for --memory sc and --mode dfs: in other memory "
                                      "models threads do not take turns");
    if (options->loops || options->checkpoint)
        return output_error(PL_USAGE,
                            "--loops and --checkpoint are for graphs, --preemptions for interleavings");
    interleave(options);
    return EXIT_HOLDS;
}
