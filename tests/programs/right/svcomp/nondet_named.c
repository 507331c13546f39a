/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags: -DLIMIT=0x80000000u */
/* flags-plumb: --nondet 0,1,max */
#include "../../wrong/svcomp/nondet_values.c"
