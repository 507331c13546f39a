/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: without --reuse no malloc returns freed memory, and nothing is wrong with the rest */
#include "../../wrong/choices/aba_reuse.c"
