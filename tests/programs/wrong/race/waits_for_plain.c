/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* machine: x86-64 */
/* note: the loop is met before the write that would end it: what is wrong is the race, not that this thread goes round forever */
#include <pthread.h>

static int flag;

static void *set(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    while (!flag)
        ;
    pthread_join(t, NULL);
    return 0;
}
