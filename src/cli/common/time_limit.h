/* SPDX-License-Identifier: Apache-2.0 */
/* --time: searches end themselves when it is over. What does not end in time is ended here, a moment later, with an answer. */
#ifndef CLI_TIME_LIMIT_H
#define CLI_TIME_LIMIT_H

#include "cli/common/command.h"

/* From now on; 0: no limit. `name`: of the input. */
void time_limit_begin(double seconds, const char *name);

/* What is worth saying if the process has to be ended before its report, behind "time limit met; ", and the exit code of what was
 * reported before. */
void time_limit_note(enum cli_exit before, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The report is printed: the process would end with this exit code, and nothing more to say. */
void time_limit_answer(enum cli_exit exit);

/* There is no limit any more. */
void time_limit_end(void);

#endif
