/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags: -mcx16 */
/* note: a store of both counters loses what was added to one of them after it was read */
#define STORE
#include "../../right/atomics/halves_and_whole.c"
