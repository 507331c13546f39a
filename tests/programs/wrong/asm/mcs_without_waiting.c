/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-return|assert */
/* machine: x86-64 */
/* races: violated use-after-return|assert */
/* note: who finds a node before its own goes on */
#define BREAK_WAIT
#include "../../right/asm/spin_mcs.c"
