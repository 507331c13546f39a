/* SPDX-License-Identifier: Apache-2.0 */
/* The words of an interleaving: what a step did, what was left out. */
#ifndef REPORT_INTERLEAVING_TEXT_H
#define REPORT_INTERLEAVING_TEXT_H

#include "report/interleaving.h"
#include "report/interleaving_fold.h"

const char *report_ellipsis(const struct report_style *style);

void interleaving_thread_name(uint32_t thread, struct text *out);

/* `named`: after the name of its thread. A brief text leaves out what the reader can find. */
void interleaving_step_text(const struct report_event *r, const struct report_style *style, bool named,
                            bool brief, struct text *out);

void interleaving_fold_text(const struct interleaving *x, const struct interleaving_line *line,
                            const struct report_style *style, struct text *out);

#endif
