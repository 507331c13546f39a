/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags-plumb: --races=allow */
/* all: violated assert */
/* sc: holds */
/* tso: holds */
/* note: schedules are sequentially consistent, races or not */
#include <assert.h>
#include <pthread.h>

static int data, flag;

static void *send(void *arg)
{
    data = 1;
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, send, NULL);
    if (flag)
        assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
