/* SPDX-License-Identifier: Apache-2.0 */
/* Files with histories. */
#ifndef PIPELINE_HISTORY_FILE_H
#define PIPELINE_HISTORY_FILE_H

#include "formats/formats.h"

/* Opens `path`; "-" is standard input, which history_file_close leaves alone. -1 after filling in *d. */
int history_file_open(const char *path, struct diagnostic *d);
void history_file_close(int fd);

/* Reads the file `path`; "-" is standard input. */
bool history_file_read(struct history *h, const char *path, const struct format_options *o,
                       struct format_reading *out, struct diagnostic *d);

#endif
