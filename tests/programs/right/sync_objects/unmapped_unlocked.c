/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags: -DRIGHT */
#include "../../wrong/locks/unmapped_locked.c"
