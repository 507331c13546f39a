/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb check` as a process that works for another one: the program is built once, and explored piece by piece. */
#include "base/interruption.h"
#include "campaign/cluster/cluster_frames.h"
#include "cli/check/check_program.h"
#include "cli/common/output.h"
#include "cli/common/shard_result.h"

#include <unistd.h>

/* One piece of the exploration, in a campaign of its own. */
static bool begin(struct campaign *one, const struct campaign *all, struct campaign_piece *piece,
                  const struct request *r, const struct text *work)
{
    *one = (struct campaign){.options = all->options,
                             .source = all->source,
                             .program = all->program,
                             .borrows_program = true,
                             .observations = all->observations};
    *piece = (struct campaign_piece){.is_all = r->length == 0, .seconds = r->milliseconds / 1000.0};
    one->options.piece = piece;
    one->options.shard.count = 1; /* its result is written as that of a shard is */
    if (r->kind == REQUEST_DIVIDE) {
        piece->pieces_wanted = (uint32_t)r->wanted;
        piece->seconds = 0;
        one->options.jobs = 1;
    }
    for (size_t k = 0; k < all->files.len; k++)
        vec_push(&one->files, all->files.data[k]);
    return piece->is_all || checkpoint_parse(&piece->work, work->data, work->len, &one->why);
}

static enum answer_kind kind_of(const struct campaign *one, const struct campaign_piece *piece)
{
    const struct campaign_result *r = &one->result;
    if (piece->is_lost)
        return ANSWER_SLOW;
    if (!r->failed || r->found || one->verdict == VERDICT_VIOLATED)
        return ANSWER_DONE;
    return r->failed->outcome == TARGET_LOST ? ANSWER_DIED : ANSWER_FAILED;
}

static bool answer(struct campaign *one, const struct campaign_piece *piece, int descriptor)
{
    struct text work = {0};
    bool is_fine = piece->is_lost || check_write_shard(one);
    if (piece->work.part_sizes.len)
        checkpoint_print(&piece->work, &work);
    is_fine =
        is_fine && shard_result_answer(descriptor, one->options.shard.result, &work, kind_of(one, piece));
    text_free(&work);
    return is_fine;
}

/* EXIT_HOLDS: it was answered. */
static enum cli_exit serve(const struct campaign *all, const struct request *r, const struct text *work,
                           int descriptor)
{
    struct campaign one;
    struct campaign_piece piece;
    bool is_decided = begin(&one, all, &piece, r, work) && campaign_decide_prepared(&one);
    enum cli_exit exit = EXIT_HOLDS;
    if (!is_decided || one.verdict == VERDICT_NONE) {
        output_diagnostic(NULL, &one.why);
        exit = cli_exit_of_error(&one.why);
    } else if (interruption_came()) {
        exit = EXIT_INCONCLUSIVE; /* it is for others to do */
    } else if (!answer(&one, &piece, descriptor)) {
        exit = EXIT_BUG;
    }
    checkpoint_free(&piece.work);
    campaign_free(&one);
    return exit;
}

enum cli_exit check_serve(struct campaign *c, int descriptor)
{
    struct text result = {0};
    struct request request;
    struct text work = {0};
    int file = shard_result_memory(&result);
    if (!campaign_prepare(c)) {
        output_diagnostic(NULL, &c->why);
        return cli_exit_of_error(&c->why);
    }
    c->options.shard.result = result.data;
    c->options.fold = false; /* what is folded all would have to know */
    enum cli_exit exit = EXIT_HOLDS;
    while (exit == EXIT_HOLDS && shard_result_read_request(descriptor, &request, &work))
        exit = serve(c, &request, &work, descriptor);
    close(file);
    text_free(&result);
    text_free(&work);
    return exit;
}
