/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags: -DLEVELS=1 */
#include "../../wrong/locks/cond_wait_locked_twice.c"
