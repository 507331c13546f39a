/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a thread uses a key that was deleted */
#include <pthread.h>

static pthread_key_t key;

static void *work(void *arg)
{
    pthread_getspecific(key);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_key_delete(key);
    pthread_join(t, NULL);
    return 0;
}
