/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* machine: x86-64 */
/* note: the place of the one that has the lock is freed, not the next */
#define BREAK_INDEX
#include "../../right/asm/spin_anderson.c"
