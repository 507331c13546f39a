/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|assert|deadlock */
/* machine: x86-64 */
/* note: the lock prefix of dec is missing */
#define LOCK ""
#include "../../right/asm/spin_dec.c"
