/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: dfs */
/* note: one reader, one writer, ordered by nothing */
#include <pthread.h>

long value;
long copy;

static void *writer(void *arg)
{
    (void)arg;
    value = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    copy = value;
    pthread_join(t, NULL);
    return 0;
}
