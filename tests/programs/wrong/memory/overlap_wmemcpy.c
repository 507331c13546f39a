/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: dfs */
#define COPY wmemcpy(wide + DISTANCE, wide, 5)
#include "overlap_strcpy.c"
