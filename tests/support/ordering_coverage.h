/* SPDX-License-Identifier: Apache-2.0 */
/* What random cases of orders of calls have in them: a campaign that never met a cycle says nothing about cycles. */
#ifndef TESTS_SUPPORT_ORDERING_COVERAGE_H
#define TESTS_SUPPORT_ORDERING_COVERAGE_H

#include "oracle/ordering_oracle.h"

#include <stdio.h>

/* Counts the case; histories were judged unless there is a cycle. */
void ordering_coverage_add(const struct ordering_case *c, const struct ordering_expected *x);
void ordering_coverage_print(FILE *to);
/* Something was never met, and its name; null: there is nothing of that kind. */
const char *ordering_coverage_missing(void);

#endif
