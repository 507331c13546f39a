/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of long numbers that keeps 32 bits of each. */
#define ITEM long
#define ANSWER(n) PLUMB_INT((n)->value)
#include "treiber.h"
