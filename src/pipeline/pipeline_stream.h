/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that are streams of events: judged while they come. */
#ifndef PIPELINE_STREAM_H
#define PIPELINE_STREAM_H

#include "pipeline/pipeline.h"

/* Follows the stream to its end, to a violation, or until stopped, and fills in what pipeline_judge_file does.
 * `head` is freed. */
void pipeline_stream_follow(struct pipeline_input *in, int fd, struct text head,
                            const struct plumb_spec *spec, const struct pipeline_question *question,
                            struct budget *budget);

#endif
