/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|assert */
/* machine: x86-64 */
/* note: the lock prefix of cmpxchg is missing */
#define LOCK ""
#include "../../right/asm/spin_cas.c"
