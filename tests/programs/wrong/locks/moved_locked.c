/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use */
/* mode: dfs */
#define GIVE_BACK(n) free(realloc(n, 4096))
#include "freed_locked.c"
