/* SPDX-License-Identifier: Apache-2.0 */
/* Where the command line prints: results on stdout, diagnostics on stderr. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "base/diagnostic.h"
#include "base/text.h"
#include "campaign/verdict_scope.h"
#include "cli/common/command.h"
#include "report/counterexample.h"

#include <stdio.h>

/* `file:line:col: error: message [PL0101]`. When `file` is null: that of the diagnostic, or `plumb: error: ...`. */
void output_diagnostic(const char *file, const struct diagnostic *d);

/* Remembers it, without printing it, unless an error was printed before. */
void output_note_error(const char *file, const struct diagnostic *d);

/* Why nothing was judged: the first error, of another kind than a wrong command line; else null. */
const struct diagnostic *output_gave_up(enum cli_exit exit);

/* The same for an error without a place. Always EXIT_USAGE. */
enum cli_exit output_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

void output_text(FILE *to, const struct text *t);

/* Of a process that runs code of the user's: from now on what that prints goes to stderr, so that stdout has our results
 * and nothing else. */
void output_keep_results_apart(void);

/* That of stdout, wherever it is now. */
int output_descriptor(void);

/* What a verdict is about, on stderr, behind what stdout has. */
void output_scope(const struct verdict_scope *s);

/* How reports on stdout look; `color` is the position in the words of --color. */
struct report_style output_style(int color);

/* Pushes stdout out, so that what follows on stderr comes after it. */
void output_flush(void);

/* Could output_open open `name`? Changes nothing; false after a diagnostic. */
bool output_check(const char *name);

/* The same for what only a file can take. */
bool output_check_file(const char *option, const char *name);

/* As output_check, without a diagnostic; a file that is not there is made. */
bool output_is_writable(const char *name);

/* Opens `name` for writing; "-" is stdout. Null after a diagnostic. */
FILE *output_open(const char *name);

/* Ends what output_open began. False, after a diagnostic, when not everything could be written; stdout is
 * left to output_finish. */
bool output_close(FILE *file, const char *name);

/* Says that a file is not complete, for reason `number` of errno or 0. Returns false. */
bool output_lost(const char *name, int number);

/* Makes sure that stdout took everything; the exit code to end with. */
enum cli_exit output_finish(enum cli_exit exit);

/* After this, files that are opened never take the place of a standard stream that the caller closed. */
void output_reserve_standard_streams(void);

#endif
