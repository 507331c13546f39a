/* SPDX-License-Identifier: Apache-2.0 */
/* The way to an error, with names that stay. Private to this folder. */
#ifndef REFINE_RUN_H
#define REFINE_RUN_H

#include "refine/product/product.h"
#include "refine/refine.h"

/* Fills r->run. False: there are more items on the way than names. */
bool run_build(struct product *p, struct refine_result *r);

/* The second opinion about a history without explanation: the monitor's. */

/* `spec` knows "full" if it is no free answer. False: the monitor did not finish. That it finds an explanation is an
 * internal error. */
bool confirming_agrees(const struct refine_system *s, const struct refine_settings *settings,
                       const struct plumb_spec *spec, const struct refine_result *r);

#endif
