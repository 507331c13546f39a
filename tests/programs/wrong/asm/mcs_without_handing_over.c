/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* machine: x86-64 */
/* note: the next one is never woken */
#define BREAK_HAND
#include "../../right/asm/spin_mcs.c"
