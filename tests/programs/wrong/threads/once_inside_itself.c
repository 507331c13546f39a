/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
/* note: the routine waits for its own end */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void nothing(void)
{
}

static void again(void)
{
    pthread_once(&once, nothing);
}

int main(void)
{
    pthread_once(&once, again);
    return 0;
}
