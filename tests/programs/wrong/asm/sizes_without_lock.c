/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* machine: x86-64 */
/* note: updates of all sizes are lost */
#define LOCK ""
#include "../../right/asm/sizes.c"
