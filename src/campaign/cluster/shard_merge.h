/* SPDX-License-Identifier: Apache-2.0 */
/* Shards of one command become the answer of the command. */
#ifndef CAMPAIGN_SHARD_MERGE_H
#define CAMPAIGN_SHARD_MERGE_H

#include "campaign/cluster/shard_record.h"

struct shard_merge {
    enum verdict verdict;
    const struct shard_record *first;    /* for what is the same in all */
    const struct shard_record *violated; /* whose counterexample is shown, or null */
    uint64_t present;                    /* shards of which there is a result */
    uint64_t numbers[SHARD_NUMBER_COUNT];
    shard_texts limits, notes; /* each once */
};

/* False: these are not results of one command. */
bool shard_merge(struct shard_merge *m, const struct shard_record *records, size_t count,
                 struct diagnostic *why);
void shard_merge_free(struct shard_merge *m);

#endif
