/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|assert */
/* machine: x86-64 */
/* note: the writer does not wait for the readers */
#define BREAK_READERS
#include "../../right/asm/rwlock.c"
