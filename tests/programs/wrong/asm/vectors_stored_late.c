/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* machine: x86-64 */
/* races: violated assert */
/* note: the flag is set before the vector is stored */
#define BREAK_ORDER
#include "../../right/asm/message_in_vectors.c"
