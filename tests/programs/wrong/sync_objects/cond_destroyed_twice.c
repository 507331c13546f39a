/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a condition variable is destroyed twice */
#include <pthread.h>

static pthread_cond_t o;

int main(void)
{
    pthread_cond_init(&o, NULL);
    pthread_cond_signal(&o);
    pthread_cond_destroy(&o);
    pthread_cond_destroy(&o);
    return 0;
}
