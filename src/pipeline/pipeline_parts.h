/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder share. */
#ifndef PIPELINE_PARTS_H
#define PIPELINE_PARTS_H

#include "pipeline/pipeline.h"

/* Opens `path`; "-" is standard input, which history_file_close leaves alone. -1 after filling in *d. */
int history_file_open(const char *path, struct diagnostic *d);
void history_file_close(int fd);

/* Decides the history of `in`, bound to specs, with relaxed ones (which replace them). */
void pipeline_quasi_decide(struct pipeline_input *in, const struct pipeline_question *question,
                           struct budget *budget);

/* Of an input that was cut: what is missing can only be later, so a violation stays one, and anything else is not known. */
void pipeline_judge_cut(struct pipeline_input *in);

/* Follows a stream of events to its end, to a violation, or until stopped, and fills in what
 * pipeline_judge_file does. `head` is freed. */
void pipeline_stream_follow(struct pipeline_input *in, int fd, struct text head,
                            const struct plumb_spec *spec, const struct pipeline_question *question,
                            struct budget *budget);

#endif
