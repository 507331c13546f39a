/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|assert */
/* machine: x86-64 */
/* note: a load and a store instead of xchg */
#define BREAK_SWAP
#include "../../right/asm/spin_fas.c"
