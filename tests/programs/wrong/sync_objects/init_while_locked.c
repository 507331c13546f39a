/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse|race */
/* mode: dfs */
/* note: initialised while another thread may hold it */
#include <pthread.h>

static pthread_mutex_t m;

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_init(&m, NULL);
    pthread_join(t, NULL);
    return 0;
}
