/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* flags: -DWRONG */
#include "../../right/choices/assume_waits.c"
