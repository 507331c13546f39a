/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* all: violated race|assert */
/* sc: holds */
/* note: the writer's flag may still be in the store buffer when it looks for readers */
#define BREAK_FENCE
#include "../../right/asm/rwlock.c"
