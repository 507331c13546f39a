/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: dfs */
#define COPY strxfrm(text + DISTANCE, text, 8)
#include "../memory/overlap_strcpy.c"
