/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-return */
/* mode: all */
/* note: the address of the loop variable is given to every thread, and its life ends with the loop */
#include <pthread.h>

static int seen[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    if (me < 2)
        seen[me]++;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int numbers[2];
    for (int i = 0; i < 2; i++) {
        numbers[i] = i;
        pthread_create(&t[i], NULL, worker, &i);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
