/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* machine: x86-64 */
/* races: violated assert */
/* note: the lock is given back before the counter is written */
#define BREAK_EARLY
#include "../../right/asm/spin_cas.c"
