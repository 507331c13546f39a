/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|assert */
/* machine: x86-64 */
/* note: two threads may wait for the same node */
#define BREAK_TAIL
#include "../../right/asm/spin_clh.c"
