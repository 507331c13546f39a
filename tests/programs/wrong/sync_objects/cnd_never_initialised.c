/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: C11 has no static initialiser for condition variables */
#include <threads.h>

static cnd_t c;

int main(void)
{
    cnd_signal(&c);
    return 0;
}
