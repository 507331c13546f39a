/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* machine: x86-64 */
/* note: the loop around cmpxchg without lock loses an update */
#define LOCK ""
#include "../../right/asm/loop_inside.c"
