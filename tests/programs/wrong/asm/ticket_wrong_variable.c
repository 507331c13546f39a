/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|assert|deadlock */
/* machine: x86-64 */
/* note: the next ticket is written instead of the position */
#define BREAK_ORDER
#include "../../right/asm/spin_ticket.c"
