/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: initialised by assignment */
#include <pthread.h>
#include <stdlib.h>

static void nothing(void)
{
}

int main(void)
{
    pthread_once_t *o = malloc(sizeof *o);
    *o = PTHREAD_ONCE_INIT;
    pthread_once(o, nothing);
    pthread_once(o, nothing);
    free(o);
    return 0;
}
