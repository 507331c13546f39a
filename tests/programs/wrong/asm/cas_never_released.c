/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* machine: x86-64 */
/* note: who waits for the lock waits forever */
#define BREAK_RELEASE
#include "../../right/asm/spin_cas.c"
