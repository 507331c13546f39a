/* SPDX-License-Identifier: Apache-2.0 */
#define HASH NULL
#include "counter.h"
COUNTER
