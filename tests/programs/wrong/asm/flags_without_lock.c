/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* machine: x86-64 */
/* note: the lock prefixes are missing */
#define LOCK ""
#include "../../right/asm/flag_outputs.c"
