/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: a loop of plain reads waits; volatile, or the compiler reads once */
#include <assert.h>
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
    while (!flag)
        continue;
    pthread_join(t, NULL);
    assert(flag == 1);
    return 0;
}
