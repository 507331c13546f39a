/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* all: violated assert */
/* sc: holds */
/* note: sfence and lfence do not order a store before a later load */
#define WAYS 1
#define BREAK_FENCE
#include "../../right/asm/store_buffering.c"
