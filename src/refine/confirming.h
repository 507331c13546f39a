/* SPDX-License-Identifier: Apache-2.0 */
/* The second opinion about a history without explanation: the monitor's. Private to this folder. */
#ifndef REFINE_CONFIRMING_H
#define REFINE_CONFIRMING_H

#include "refine/refine.h"

/* `spec` knows "full" if it is no free answer. False: the monitor did not finish. That it finds an explanation is a bug of
 * ours. */
bool confirming_agrees(const struct refine_system *s, const struct refine_settings *settings,
                       const struct plumb_spec *spec, const struct refine_result *r);

#endif
