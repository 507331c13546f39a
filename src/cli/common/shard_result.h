/* SPDX-License-Identifier: Apache-2.0 */
/* The file of --result, as far as it is the same for all commands. */
#ifndef CLI_SHARD_RESULT_H
#define CLI_SHARD_RESULT_H

#include "campaign/campaign.h"
#include "campaign/cluster/cluster_frames.h"
#include "campaign/cluster/shard_record.h"
#include "cli/common/command.h"

/* A hash of what decides about the answer: all options but those that say where and how it is written and how fast it is found. */
uint64_t shard_options_fingerprint(const struct option_command *text, const void *settings);

/* The counterexample of a campaign that is violated: as it is printed, and the recorded execution. */
void shard_result_add_error(struct shard_record *r, const struct campaign *c);

/* Each of the texts that "; " divides. */
void shard_result_add_texts(shard_texts *list, const char *words);

struct shard_origin {
    const struct option_command *text;
    const void *settings;
    const struct campaign_shard *shard;
    const struct target_program *program; /* or null */
    const struct target_source *source;
};

/* Writes and frees it. False: after a diagnostic. */
bool shard_result_save(struct shard_record *r, const struct shard_origin *origin);

/* Of a process that works for another: a file in memory, by its name, for the record. Its descriptor. */
int shard_result_memory(struct text *path);

/* The record that was saved, and the work that is left (may be empty), as one answer.
 * False: the other is gone. */
struct request;
bool shard_result_answer(int descriptor, const char *path, const struct text *work, enum answer_kind kind);

/* The next request, with the work that follows it. False: there are no more. */
bool shard_result_read_request(int descriptor, struct request *request, struct text *work);

#endif
