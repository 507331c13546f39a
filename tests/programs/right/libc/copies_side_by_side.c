/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags: -DRIGHT */
#define COPY                                  \
    strcpy(text + DISTANCE, text);            \
    strcat(text, text + DISTANCE + 2);        \
    strncpy(text + DISTANCE, text, DISTANCE); \
    snprintf(text + 32, 8, "%s!", text + 36); \
    swab(text, text + 40, DISTANCE);          \
    mempcpy(text + DISTANCE, text, DISTANCE); \
    memmove(text + 1, text, DISTANCE);        \
    wmemmove(wide + 1, wide, 5);              \
    wmemcpy(wide, wide, 5);                   \
    wcscpy(wide + DISTANCE, wide);            \
    strxfrm(text + DISTANCE, text, DISTANCE); \
    sscanf(text, "%7s", text + DISTANCE)
#include "../../wrong/memory/overlap_strcpy.c"
