/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: dfs */
#define COPY strcat(text, text + DISTANCE)
#include "overlap_strcpy.c"
