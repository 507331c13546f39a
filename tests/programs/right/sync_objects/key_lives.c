/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: created, used by both, deleted after the join */
#include <pthread.h>

static pthread_key_t key;

static void *work(void *arg)
{
    pthread_setspecific(key, &key);
    if (pthread_getspecific(key) != &key)
        return &key;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_key_delete(key);
    return 0;
}
