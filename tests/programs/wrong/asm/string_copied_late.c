/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* machine: x86-64 */
/* races: violated assert */
/* note: the flag is set before the string instruction has copied */
#define BREAK_ORDER
#include "../../right/asm/string_copy.c"
