/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* machine: x86-64 */
/* note: the reader does not look at the sequence again */
#define BREAK_CHECK
#include "../../right/asm/seqlock.c"
