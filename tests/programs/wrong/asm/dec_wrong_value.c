/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* machine: x86-64 */
/* note: the lock is given back with a value that no thread takes */
#define BREAK_VALUE
#include "../../right/asm/spin_dec.c"
