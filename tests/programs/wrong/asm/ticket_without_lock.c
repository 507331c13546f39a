/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|assert|deadlock */
/* machine: x86-64 */
/* note: two threads may draw the same ticket */
#define LOCK ""
#include "../../right/asm/spin_ticket.c"
