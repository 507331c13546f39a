/* SPDX-License-Identifier: Apache-2.0 */
/* From a worker that has ended to the result of its test: limits, errors that are confirmed, races that were kept. */
#ifndef AUTOTEST_AUTO_RESULT_H
#define AUTOTEST_AUTO_RESULT_H

#include "autotest/auto_run.h"

/* `result` holds the verdict of a test with which nothing is wrong. */
void auto_result_read(const struct auto_runner *r, const struct target_worker *worker,
                      struct auto_result *result);

void auto_result_say(struct auto_result *result, enum verdict verdict, const char *why);
/* There is no verdict, because of an internal error. */
void auto_result_fail(struct auto_result *result, const char *why);

#endif
