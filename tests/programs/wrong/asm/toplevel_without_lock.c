/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* machine: x86-64 */
/* note: a function of assembly adds without lock */
#define ADD "incl"
#include "../../right/asm/toplevel.c"
