/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: every thread gets the address of the same loop variable */
#include <pthread.h>

int seen[2];

static void *work(void *arg)
{
    int index = *(int *)arg;
    seen[index & 1] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    static int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &i);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
