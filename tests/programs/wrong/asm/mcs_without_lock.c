/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|deadlock|assert|use-after-return */
/* machine: x86-64 */
/* races: violated deadlock|assert|use-after-return */
/* note: the lock prefix of cmpxchg is missing */
#define LOCK ""
#include "../../right/asm/spin_mcs.c"
