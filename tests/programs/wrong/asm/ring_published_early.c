/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* machine: x86-64 */
/* races: violated assert */
/* note: the index is stored before the slot is written */
#define BREAK_ORDER
#include "../../right/asm/ring_spsc.c"
