/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* machine: x86-64 */
/* races: violated assert */
/* note: the entry is linked before its value is written */
#define BREAK_ORDER
#include "../../right/asm/fifo_spsc.c"
