/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: main uses a key that the thread may have deleted */
#include <pthread.h>

static pthread_key_t key;

static void *work(void *arg)
{
    pthread_key_delete(key);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_getspecific(key);
    pthread_join(t, NULL);
    return 0;
}
