/* SPDX-License-Identifier: Apache-2.0 */
#define RESULTS "b"
#include "counter.h"
COUNTER
