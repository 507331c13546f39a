/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: dfs */
#include <pthread.h>

int flag, copy;

static void *writer(void *arg)
{
    (void)arg;
    __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    copy = flag;
    pthread_join(t, NULL);
    return 0;
}
