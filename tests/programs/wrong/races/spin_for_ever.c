/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: nobody sets the flag to what is waited for */
#include <pthread.h>

static volatile int flag;

static void *set(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    while (flag != 2)
        continue;
    pthread_join(t, NULL);
    return 0;
}
