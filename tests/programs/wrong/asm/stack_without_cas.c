/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* machine: x86-64 */
/* note: a push in two steps loses a node */
#define BREAK_CAS
#include "../../right/asm/stack_mpsc.c"
