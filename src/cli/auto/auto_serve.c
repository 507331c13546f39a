/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb auto` as a process that works for another one: the program is built once, and its tests are run part by part. */
#include "base/interruption.h"
#include "campaign/cluster/cluster_frames.h"
#include "cli/auto/auto.h"
#include "cli/common/output.h"
#include "cli/common/shard_result.h"

#include <unistd.h>

/* What a part of the tests needs of its own; the rest belongs to `all`. */
static struct autotest begin(const struct autotest *all, const struct request *r)
{
    struct autotest one = *all;
    one.calls = (auto_calls){0};
    for (size_t k = 0; k < all->calls.len; k++)
        vec_push(&one.calls, all->calls.data[k]);
    one.scope = (struct verdict_scope){0};
    one.suppressions = (struct suppressions){0};
    one.shard = r->first;
    one.shards = r->wanted;
    one.options.shard.count = 1; /* all records are of one command */
    return one;
}

static void end(struct autotest *one)
{
    one->program = one->golden = NULL;
    one->call_text = one->assembly = NULL;
    one->holdings = (auto_holdings){0};
    one->files = (struct operand_list){0};
    one->options.campaign.suppress = (struct operand_list){0};
    autotest_free(one);
}

/* EXIT_HOLDS: it was answered. */
static enum cli_exit serve(const struct autotest *all, const struct request *r, int descriptor)
{
    struct diagnostic why = {0};
    struct text none = {0};
    struct autotest one = begin(all, r);
    enum cli_exit exit = EXIT_HOLDS;
    if (!suppress_read(&one.suppressions, &one.options.campaign.suppress, &why) ||
        !autotest_decide_prepared(&one, &why)) {
        output_diagnostic(NULL, &why);
        exit = cli_exit_of_error(&why);
    } else {
        exit = one.failing ? auto_report_failed(&one) : auto_report_passed(&one);
        bool is_judged = exit == EXIT_HOLDS || exit == EXIT_VIOLATED || exit == EXIT_INCONCLUSIVE;
        if (interruption_came() && exit != EXIT_VIOLATED)
            exit = EXIT_INCONCLUSIVE; /* it is for others to do */
        else if (is_judged)
            exit = shard_result_answer(descriptor, one.options.shard.result, &none,
                                       one.has_lost && !one.failing ? ANSWER_DIED : ANSWER_DONE)
                       ? EXIT_HOLDS
                       : EXIT_BUG;
    }
    end(&one);
    return exit;
}

enum cli_exit auto_serve(struct autotest *a, int descriptor)
{
    struct text result = {0};
    struct diagnostic why = {0};
    struct request request;
    struct text work = {0};
    int file = shard_result_memory(&result);
    if (!autotest_prepare(a, &why)) {
        output_diagnostic(NULL, &why);
        return cli_exit_of_error(&why);
    }
    a->options.shard.result = result.data;
    enum cli_exit exit = EXIT_HOLDS;
    while (exit == EXIT_HOLDS && shard_result_read_request(descriptor, &request, &work))
        exit = serve(a, &request, descriptor);
    close(file);
    text_free(&result);
    text_free(&work);
    return exit;
}
