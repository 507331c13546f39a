/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* machine: x86-64 */
/* note: cmpxchg16b without lock: two accesses of 16 bytes */
#define LOCK ""
#include "../../right/asm/stack_cmpxchg16b.c"
