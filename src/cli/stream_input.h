/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of `plumb monitor` that are streams of events: judged while they come. */
#ifndef CLI_STREAM_INPUT_H
#define CLI_STREAM_INPUT_H

#include "cli/monitor_input.h"

/* Reads the first line of the input, or more, into `head`. Is it an event? */
bool stream_input_starts(int fd, const struct format_options *options, struct text *head);

/* Follows the stream to its end, to a violation, or until interrupted, and fills in what monitor_input_judge does.
 * `head` is freed. */
void stream_input_follow(struct monitor_input *in, int fd, struct text head, const struct plumb_spec *spec,
                         const struct monitor_options *options, struct budget *budget);

#endif
