/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: dfs */
#define COPY strncpy(text + DISTANCE, text, 5)
#include "overlap_strcpy.c"
