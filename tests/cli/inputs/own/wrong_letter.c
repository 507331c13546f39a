/* SPDX-License-Identifier: Apache-2.0 */
#define RESULTS "x"
#include "counter.h"
COUNTER
