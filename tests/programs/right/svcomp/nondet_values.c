/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: dfs */
/* flags: -DLIMIT=0x80000000u */
/* note: nothing is wrong with it, but not every value was tried */
#include "../../wrong/svcomp/nondet_values.c"
