/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb monitor --quasi` and `--quasi-min`. */
#ifndef CLI_MONITOR_QUASI_H
#define CLI_MONITOR_QUASI_H

#include "cli/monitor_input.h"

/* What is wrong with the options whatever the inputs are. */
bool monitor_quasi_check(const struct monitor_options *o, const struct plumb_spec *spec,
                         struct diagnostic *d);

/* Decides the history of `in`, bound to specs, with relaxed ones (which replace them). */
void monitor_quasi_decide(struct monitor_input *in, const struct monitor_options *options,
                          struct budget *budget);

#endif
