/* SPDX-License-Identifier: Apache-2.0 */
/* Files with histories, as the command line names them and their formats. */
#ifndef CLI_HISTORY_FILE_H
#define CLI_HISTORY_FILE_H

#include "formats/formats.h"

/* The meaning of --format and --jepsen; null: not given. False after a diagnostic on stderr. */
bool history_file_options(const char *format, const char *jepsen, struct format_options *out);

/* The format called `name`; FORMAT_COUNT after a diagnostic that tells which ones `option` takes. */
enum format history_file_format(const char *name, const char *option);

/* Opens `path`; "-" is standard input, which history_file_close leaves alone. -1 after filling in *d. */
int history_file_open(const char *path, struct diagnostic *d);
void history_file_close(int fd);

/* Reads the file `path`; "-" is standard input. */
bool history_file_read(struct history *h, const char *path, const struct format_options *o,
                       struct format_reading *out, struct diagnostic *d);

/* Tells on stderr what was left out: `NAME: note: ...` for every line of `notes`, which may be null. */
void history_file_print_notes(const char *name, const char *notes);

#endif
