/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* machine: x86-64 */
/* note: two threads set bits of the same word */
#define LOCK ""
#include "../../right/asm/bitmap.c"
