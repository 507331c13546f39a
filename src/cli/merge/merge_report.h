/* SPDX-License-Identifier: Apache-2.0 */
/* Prints and writes what records of shards come to together. */
#ifndef CLI_MERGE_REPORT_H
#define CLI_MERGE_REPORT_H

#include "campaign/cluster/shard_merge.h"
#include "cli/common/command.h"

struct merge_options {
    const char *json, *out;
    struct report_paths files;
    bool quiet;
};

enum cli_exit merge_report(const struct shard_record *records, size_t count, const struct merge_options *o);

#endif
