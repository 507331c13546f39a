/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: dfs */
#define COPY sscanf(text, "%8s", text + DISTANCE)
#include "../memory/overlap_strcpy.c"
