/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: dfs */
/* note: copies between places that overlap; RIGHT has them side by side */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static char text[64] = "abcd";
static wchar_t wide[64] = L"abcd";

#ifndef COPY
#define COPY strcpy(text + DISTANCE, text)
#endif
#ifdef RIGHT
#define DISTANCE 8
#else
#define DISTANCE 1
#endif

int main(void)
{
    COPY;
    return text[0] == 0 || wide[0] == 0;
}
