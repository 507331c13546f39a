/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* machine: x86-64 */
/* note: the writer does not end */
#define BREAK_END
#include "../../right/asm/seqlock.c"
