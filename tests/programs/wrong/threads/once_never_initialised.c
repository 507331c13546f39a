/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a control variable from malloc that was never initialised */
#include <pthread.h>
#include <stdlib.h>

static void nothing(void)
{
}

int main(void)
{
    pthread_once_t *o = malloc(sizeof *o);
    pthread_once(o, nothing);
    free(o);
    return 0;
}
