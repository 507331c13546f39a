/* SPDX-License-Identifier: Apache-2.0 */
/* A bit of the address of a node, which is another one from run to run, says whether it is lost. */
#include <stdint.h>

#ifndef BIT
#define BIT 5
#endif
#define ITEM int
#define ANSWER(n) ((uintptr_t)(n) >> BIT & 1 ? PLUMB_NONE : PLUMB_INT((n)->value))
#include "treiber.h"
