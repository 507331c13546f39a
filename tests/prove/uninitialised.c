/* SPDX-License-Identifier: Apache-2.0 */
/* A flag of a new node is looked at and was never written: with the usual allocator it is mostly zero. */
#define ITEM int
#define MORE int is_removed
#define ANSWER(n) ((n)->is_removed ? PLUMB_NONE : PLUMB_INT((n)->value))
#include "treiber.h"
