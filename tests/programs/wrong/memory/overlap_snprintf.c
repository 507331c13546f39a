/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: dfs */
#define COPY snprintf(text, sizeof text, "%s!", text)
#include "overlap_strcpy.c"
