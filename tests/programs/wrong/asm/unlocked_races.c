/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* machine: x86-64 */
/* note: add and dec without lock lose updates */
#define BREAK_LOCK
#include "../../right/asm/unlocked_is_plain.c"
