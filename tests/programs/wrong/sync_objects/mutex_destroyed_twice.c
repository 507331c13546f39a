/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a mutex is destroyed twice */
#include <pthread.h>

static pthread_mutex_t o;

int main(void)
{
    pthread_mutex_init(&o, NULL);
    pthread_mutex_lock(&o);
    pthread_mutex_unlock(&o);
    pthread_mutex_destroy(&o);
    pthread_mutex_destroy(&o);
    return 0;
}
