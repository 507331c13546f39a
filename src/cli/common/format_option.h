/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of histories as the command line names them, and what their readers left out. */
#ifndef CLI_FORMAT_OPTION_H
#define CLI_FORMAT_OPTION_H

#include "formats/formats.h"

/* The meaning of --format and --jepsen; null: not given. False after a diagnostic on stderr. */
bool format_option_read(const char *format, const char *jepsen, struct format_options *out);

/* The format called `name`; FORMAT_COUNT after a diagnostic that says which ones `option` takes. */
enum format format_option_find(const char *name, const char *option);

/* Prints what was left out on stderr: `NAME: note: ...` for every line of `notes`, which may be null. */
void format_option_print_notes(const char *name, const char *notes);

#endif
