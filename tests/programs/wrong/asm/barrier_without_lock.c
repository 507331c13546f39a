/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|deadlock|assert */
/* machine: x86-64 */
/* note: both may find the count that only the first should */
#define LOCK ""
#include "../../right/asm/barrier_central.c"
