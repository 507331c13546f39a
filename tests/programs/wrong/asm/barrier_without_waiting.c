/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|assert */
/* machine: x86-64 */
/* note: no thread waits */
#define BREAK_WAIT
#include "../../right/asm/barrier_central.c"
