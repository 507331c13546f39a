/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* note: a function that could wait, or write, without being seen */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2], other;

int main(void)
{
    pipe(ends);
    other = open("/dev/null", O_WRONLY);
    (void)splice(ends[0], NULL, other, NULL, 1, 0);
    return 0;
}
