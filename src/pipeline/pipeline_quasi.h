/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb monitor --quasi` and `--quasi-min`. */
#ifndef PIPELINE_QUASI_H
#define PIPELINE_QUASI_H

#include "pipeline/pipeline.h"

/* What is wrong with the options whatever the inputs are. */
bool pipeline_quasi_check(const struct pipeline_question *o, const struct plumb_spec *spec,
                          struct diagnostic *d);

/* Decides the history of `in`, bound to specs, with relaxed ones (which replace them). */
void pipeline_quasi_decide(struct pipeline_input *in, const struct pipeline_question *question,
                           struct budget *budget);

#endif
