/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: dfs */
/* note: a plain write and an atomic load of the same object */
#include <pthread.h>

int flag;

static void *writer(void *arg)
{
    (void)arg;
    flag = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int seen = __atomic_load_n(&flag, __ATOMIC_SEQ_CST);
    pthread_join(t, NULL);
    return seen > 1;
}
