/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|assert|deadlock */
/* machine: x86-64 */
/* note: the lock prefix of xadd is missing */
#define LOCK ""
#include "../../right/asm/spin_ticket_packed.c"
