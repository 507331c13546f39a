/* SPDX-License-Identifier: Apache-2.0 */
/* usage: run_worker MODE RUNS COMMAND
 * Runs one worker and prints what became of it, in the words of the programs' `expect` comments. COMMAND may start the
 * worker under an emulator, which `plumb check` does not. */
#include "base/budget.h"
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *word_of(uint32_t kind)
{
    static const char *const words[] = {
#define X(name, word, text) word,
        WORKER_ERRORS(X)
#undef X
    };
    return words[kind];
}

static void print_end(const struct target_end *end, const struct worker_shared *shared)
{
    bool whole = shared->cut == 0 && shared->blocked == 0;
    if (end->outcome == TARGET_FOUND)
        printf("violated %s\n", word_of(shared->error.kind));
    else if (end->outcome == TARGET_FINISHED)
        puts(whole ? "holds" : "inconclusive");
    else
        printf("outcome %d: %s\n", (int)end->outcome, end->message);
}

int main(int count, char **words)
{
    if (count != 4)
        return 2;
    static struct target_run run;
    run.config.mode = strcmp(words[1], "dfs") == 0   ? WORKER_DFS
                      : strcmp(words[1], "pct") == 0 ? WORKER_PCT
                                                     : WORKER_RANDOM;
    run.config.runs = strtoull(words[2], NULL, 10);
    run.config.seed = 1;
    run.config.pct_depth = 3;
    run.config.preemptions = UINT32_MAX;
    run.config.step_limit = 100000;
    struct target_program program = {.path = words[3]};
    struct target_watch watch = {.stall_seconds = 20};
    struct diagnostic why;
    struct target_worker *worker = target_start(&program, &run, &why);
    if (!worker) {
        puts(why.message);
        return 1;
    }
    while (target_wait(&worker, 1, &watch)) {
    }
    print_end(target_end_of(worker), target_shared(worker));
    target_free(worker);
    return 0;
}
