/* SPDX-License-Identifier: Apache-2.0 */
#include "counter.h"
PLUMB_SPECIFICATION = {.name = "queue",
                       .operations = operations,
                       .operation_count = 2,
                       .init = INIT,
                       .destroy = free,
                       .clone = CLONE,
                       .hash = HASH,
                       .equal = EQUAL,
                       .step = STEP};
