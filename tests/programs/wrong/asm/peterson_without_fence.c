/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* all: violated race|assert */
/* sc: holds */
/* note: the store of the flag may come after the load of the other */
#define BREAK_FENCE
#include "../../right/asm/peterson.c"
