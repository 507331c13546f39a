/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|deadlock|assert */
/* machine: x86-64 */
/* note: the jump is taken when the lock was free */
#define BREAK_CONDITION
#include "../../right/asm/goto_lock.c"
